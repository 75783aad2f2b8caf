"""Sentences from explanations and names, in several languages; every claim is checked against the row."""

from counterec.wording.catalogue import Catalogue, catalogue, languages
from counterec.wording.change import SLIGHT, Change
from counterec.wording.engineering import engineer_sentence
from counterec.wording.sentences import sentence
from counterec.wording.telling import tell, tell_audience, tell_ranking, tell_row
from counterec.wording.told import Told, ToldAudience, ToldRanking

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
