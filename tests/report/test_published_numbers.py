"""The paper's own numbers: they are complete, and what follows from them is what the errata say."""

from __future__ import annotations

import pytest

from counterec.errors import UnknownIdError
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


def test_what_the_paper_does_not_have_is_none() -> None:
    found = published()
    assert found.side("model_side", "yelp", "mter", "multi", False) is None
    assert found.side("user_side", "yelp", "minimal", "multi", False) is None
    assert found.side("user_side", "yelp", "single", "multi", False) is None
    assert found.fidelity("yelp", "complete", "multi", True) is None
    # The paper's Random draws from all aspects: it has no masked row.
    assert found.side("user_side", "yelp", "random", "multi", True) is None
    assert found.side("user_side", "yelp", "random", "multi", False) == (1.06, 3.54, 1.62)


def test_masked_and_unmasked_are_not_mixed_up() -> None:
    assert published().side("model_side", "cell_phones", "relaxed", "multi", False) == (99.52, 98.48, 99.00)
    assert published().side("model_side", "cell_phones", "relaxed", "multi", True) == (86.62, 91.78, 89.13)


def test_the_gain_without_the_mask_is_what_the_paper_says() -> None:
    assert published().mean_gain(masked=False) == pytest.approx(published().text["gain"], abs=ROUNDING)


def test_the_gain_with_the_mask_is_not() -> None:
    said = erratum("gain with the mask")
    assert said.printed == published().text["gain_masked"]
    assert published().mean_gain(masked=True) == pytest.approx(said.computed, abs=ROUNDING)
    assert abs(said.computed - said.printed) > 1


@pytest.mark.parametrize("dataset", DATASETS)
def test_densities_follow_from_the_counts_but_for_cell_phones(dataset: str) -> None:
    counts = published().datasets[dataset]
    agrees = counts.computed_density == pytest.approx(counts.density, abs=0.0005)
    assert agrees == (dataset != "cell_phones")
    if not agrees:
        said = erratum("density of Cell Phones")
        assert (said.printed, said.computed) == (counts.density, pytest.approx(counts.computed_density, abs=0.0005))


def test_yelp_is_not_the_densest() -> None:
    said, counts = erratum("the densest data"), published().datasets
    densest = max(counts.values(), key=lambda one: one.computed_density)
    assert said.printed == counts["yelp"].density
    assert said.computed == pytest.approx(densest.computed_density, abs=0.0005)


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


def test_the_mask_raises_f_ns_where_the_errata_say_so() -> None:
    raised = {}
    for shape, dataset in [(s, d) for s in SHAPES for d in DATASETS]:
        without, masked = (published().side("model_side", dataset, OURS[shape], shape, m) for m in (False, True))
        if without and masked and masked[2] > without[2]:
            raised[shape, dataset] = (without[2], masked[2])
    said = erratum("what the mask costs")
    assert set(raised) == {("single", "kindle_store"), ("single", "cds_and_vinyl")}
    assert raised["single", "cds_and_vinyl"] == (said.printed, said.computed)


def test_the_lowest_fidelity_with_several_aspects() -> None:
    least = min(published().fidelity(d, "relaxed", "multi", m) or 0 for d in DATASETS for m in (False, True))
    said = erratum("lowest fidelity with several aspects")
    assert least == said.computed < said.printed


def test_a_dataset_is_found_in_any_spelling() -> None:
    assert published().dataset("cell-phones") == published().dataset("Cell Phones") == published().dataset(None)
    assert published().dataset("CDs and Vinyl").aspects == 230
    with pytest.raises(
        UnknownIdError, match=r"'Toys' is none of the paper's datasets; choose one of Yelp, .*Cell Phones"
    ):
        published().dataset("Toys")
    assert not published().has("Toys")
    assert not published().has("")
