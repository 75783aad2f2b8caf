"""A run folder opened gives back what was computed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from counterec import make_config, make_run, open_run
from counterec.core.evaluation.verdicts import VERDICTS
from counterec.pipeline import net_model
from counterec.pipeline.stages import explain, model
from tests.pipeline.tiny import METHODS, SETTINGS, changed


@pytest.fixture(scope="module", params=["full", "sampled"])
def computed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):
    """A run, and the values that its stages handed to the serialization."""
    seen: dict[str, Any] = {}
    patch = pytest.MonkeyPatch()

    def spy(module: Any, name: str) -> None:
        works = getattr(module, name)

        def spying(*args: Any, **options: Any) -> Any:
            seen.setdefault(name, []).append(works(*args, **options))
            return seen[name][-1]

        patch.setattr(module, name, spying)

    spy(model.Ranking, "with_member_lists")
    spy(net_model, "train")
    spy(model, "sampled_candidates")
    spy(explain, "verdicts")
    spy(explain.CountER, "explain")
    folder = tmp_path_factory.mktemp("opened") / "run"
    settings = changed(SETTINGS, lists={"protocol": request.param, "negatives": 12}, seed=5)
    make_run(make_config(settings, "test"), folder)
    patch.undo()
    return open_run(folder), seen


def test_recommendations(computed) -> None:
    run, seen = computed
    assert_same(run.recommendations, seen["with_member_lists"][0][0].shortened(run.config.lists.k))
    assert run.recommendations.scores.dtype == np.float32


def test_candidates(computed) -> None:
    run, seen = computed
    assert_same(run.candidates, seen["with_member_lists"][0][0].candidates)
    if "sampled_candidates" in seen:
        assert_same(run.candidates, seen["sampled_candidates"][0])


def test_the_net(computed) -> None:
    run, seen = computed
    for name, array in seen["train"][0].weights.named().items():
        np.testing.assert_array_equal(run.scorer.weights.named()[name], array)


def test_explanations(computed) -> None:
    run, seen = computed
    for method, answers in zip(run.methods, seen["explain"], strict=True):
        found = run.explanations(method)
        np.testing.assert_allclose(found.delta, answers.delta, atol=1e-6)
        np.testing.assert_array_equal(found.delta != 0, answers.delta != 0)
        for name in ("users", "items", "score_before", "score_after", "target", "status", "proof"):
            np.testing.assert_array_equal(getattr(found, name), getattr(answers, name))
        assert found.direction == answers.direction
        np.testing.assert_array_equal(found.margin, answers.margin)


def test_verdicts(computed) -> None:
    run, seen = computed
    for method, verdicts in zip(run.methods, seen["verdicts"], strict=True):
        found = run.explanations(method).require_verdicts()
        asked = verdicts.asked
        np.testing.assert_array_equal(found.asked, asked)
        for name in VERDICTS:
            np.testing.assert_array_equal(getattr(found, name)[asked], getattr(verdicts, name)[asked])


def test_the_rest_has_its_types(tiny_run: Path) -> None:
    run = open_run(str(tiny_run))
    assert repr(run) == f"Run({str(tiny_run)!r})"
    assert run.config == make_config(SETTINGS, "test")
    assert len(run.reviews) == len(run.split) == 540
    assert set(run.mentions["sentiment"]) == {-1, 1}
    assert run.space.item_quality.shape == (60, 7)
    assert sum(len(part) for part in run.interactions.values()) == 540
    assert run.statistics == {"users": 30, "items": 60, "reviews": 540, "aspects": 7, "density": 0.3}
    assert run.item_name(run.space.items.texts[0]) != run.space.items.texts[0]
    assert run.item_name("nothing of the kind") == "nothing of the kind"
    assert set(run.evaluation["explanations"]) == set(METHODS)


def assert_same(found: Any, expected: Any) -> None:
    """Two frozen values are equal, arrays and all."""
    assert type(found) is type(expected)
    for name, value in vars(expected).items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(getattr(found, name), value)
        elif hasattr(value, "__dataclass_fields__"):
            assert_same(getattr(found, name), value)
        else:
            assert getattr(found, name) == value


def test_it_may_be_asked_from_several_threads(tiny_run: Path) -> None:
    run = open_run(tiny_run)
    pairs = [(run.space.users.texts[row], run.space.items.texts[run.recommendations.items[row, 0]]) for row in range(6)]
    alone = [open_run(tiny_run).explain(*pair) for pair in pairs]
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(lambda pair: run.explain(*pair), pairs * 3))
    for found, expected in zip(together, alone * 3, strict=True):
        assert found.equals(expected)
