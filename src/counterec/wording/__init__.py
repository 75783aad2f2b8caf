"""Sentences from explanations and names, in several languages; every claim is checked against the row."""

from counterec.wording.change import SLIGHT, Change
from counterec.wording.engineer_sentences import engineer_sentence
from counterec.wording.message_catalogue import Catalogue, catalogue, languages
from counterec.wording.record import Told, ToldAudience, ToldRanking
from counterec.wording.record_builders import tell, tell_audience, tell_ranking, tell_row
from counterec.wording.sentences import sentence

__all__ = [
    "SLIGHT",
    "Catalogue",
    "Change",
    "Told",
    "ToldAudience",
    "ToldRanking",
    "catalogue",
    "engineer_sentence",
    "languages",
    "sentence",
    "tell",
    "tell_audience",
    "tell_ranking",
    "tell_row",
]
