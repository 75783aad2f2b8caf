"""The paper's own numbers: they are complete, and what follows from them is what the errata say."""

from __future__ import annotations

import pytest

from counterec.report.paper import OURS, Erratum, Side, published

ROUNDING = 0.005 + 1e-9
SHAPES = tuple(OURS)
DATASETS = tuple(published().datasets)


def erratum(name: str) -> Erratum:
    (found,) = [erratum for erratum in published().errata if erratum.name == name]
    return found


def harmonic(a: float, b: float) -> float:
    return 2 * a * b / (a + b) if a + b else 0.0


def test_every_table_is_complete() -> None:
    for shape in SHAPES:
        for dataset in DATASETS:
            for masked in (False, True):
                ours = OURS[shape]
                assert 0 < (published().fidelity(dataset, ours, shape, masked) or 0) <= 100
                for method in (ours, "efm", "mter", "a2cf"):
                    assert len(published().side("user_side", dataset, method, shape, masked) or ()) == 3
                for method in (ours, "efm", "a2cf"):
                    assert len(published().side("model_side", dataset, method, shape, masked) or ()) == 3


@pytest.mark.parametrize("dataset", DATASETS)
def test_densities_follow_from_the_counts_but_for_cell_phones(dataset: str) -> None:
    counts = published().datasets[dataset]
    agrees = counts.computed_density == pytest.approx(counts.density, abs=0.0005)
    assert agrees == (dataset != "cell_phones")
    if not agrees:
        said = erratum("density of Cell Phones")
        assert (said.printed, said.computed) == (counts.density, pytest.approx(counts.computed_density, abs=0.0005))


def highest(a: float, b: float) -> float:
    """The largest harmonic mean that could be printed, if both numbers were rounded down as far as possible."""
    return harmonic(a + ROUNDING, b + ROUNDING) + ROUNDING


def lowest(a: float, b: float) -> float:
    return harmonic(max(0.0, a - ROUNDING), max(0.0, b - ROUNDING)) - ROUNDING


def printed_rows(side: Side) -> dict[tuple[str, str, str], tuple[float, float, float]]:
    """Every row of Table 3 or 4, as it is in the file."""
    return {
        (method, shape, dataset): tuple(numbers)
        for shape, rows in published().tables[side].items()
        for method, by_dataset in rows.items()
        for dataset, numbers in by_dataset.items()
    }


def test_f_ns_is_the_harmonic_mean_of_the_printed_pn_and_ps_but_once() -> None:
    rows = printed_rows("model_side")
    wrong = {place for place, (pn, ps, f) in rows.items() if not lowest(pn, ps) <= f <= highest(pn, ps)}
    assert wrong == {("counter", "single", "electronic")}
    pn, ps, f = rows["counter", "single", "electronic"]
    said = erratum("F_NS of CountER on Electronic, single aspect")
    assert (said.printed, said.computed) == (f, pytest.approx(harmonic(pn, ps), abs=ROUNDING))


def test_f1_never_exceeds_what_precision_and_recall_allow_but_twice() -> None:
    """F1 is concave in the two: its average is at most F1 of the averages."""
    rows = printed_rows("user_side")
    wrong = {place for place, (precision, recall, f1) in rows.items() if f1 > highest(precision, recall)}
    names = {"single": "single aspect", "multi": "multiple aspects"}
    assert wrong == {("efm", shape, "cell_phones") for shape in names}
    for shape, name in names.items():
        precision, recall, f1 = rows["efm", shape, "cell_phones"]
        said = erratum(f"F1 of EFM on Cell Phones, {name}")
        assert (said.printed, said.computed) == (f1, pytest.approx(harmonic(precision, recall), abs=ROUNDING))
