"""Sentences from answers; every claim is checked against the record it is made from."""

from counterec.wording.change import SLIGHT, Change, meant_value
from counterec.wording.marks import Mark, legend, marks
from counterec.wording.reasons import reason
from counterec.wording.record import AnswerRecord, AudienceRecord, HistoryRecord, Record, RerankingRecord
from counterec.wording.record_builders import (
    answer_record,
    audience_record,
    history_record,
    reranking_records,
    row_record,
)
from counterec.wording.sentences import background, sentence

__all__ = [
    "SLIGHT",
    "AnswerRecord",
    "AudienceRecord",
    "Change",
    "HistoryRecord",
    "Mark",
    "Record",
    "RerankingRecord",
    "answer_record",
    "audience_record",
    "background",
    "history_record",
    "legend",
    "marks",
    "meant_value",
    "reason",
    "reranking_records",
    "row_record",
    "sentence",
]
