"""Sentences from answers, in several languages; every claim is checked against the record it is made from."""

from counterec.wording.background import background
from counterec.wording.change import SLIGHT, Change
from counterec.wording.engineer_sentences import engineer_sentence
from counterec.wording.history_record import HistoryRecord, history_record
from counterec.wording.marks import Mark, legend, marks
from counterec.wording.message_catalogue import Catalogue, catalogue, languages
from counterec.wording.printed_values import meant_value
from counterec.wording.reasons import reason
from counterec.wording.record import AnswerRecord, AudienceRecord, Record, RerankingRecord
from counterec.wording.record_builders import answer_record, audience_record, reranking_records, row_record
from counterec.wording.sentences import sentence

__all__ = [
    "SLIGHT",
    "AnswerRecord",
    "AudienceRecord",
    "Catalogue",
    "Change",
    "HistoryRecord",
    "Mark",
    "Record",
    "RerankingRecord",
    "answer_record",
    "audience_record",
    "background",
    "catalogue",
    "engineer_sentence",
    "history_record",
    "languages",
    "legend",
    "marks",
    "meant_value",
    "reason",
    "reranking_records",
    "row_record",
    "sentence",
]
