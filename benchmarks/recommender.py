"""The recommender against popularity, on five built-in worlds, from review texts.

python -m benchmarks.recommender
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from counterec.pipeline.config import make_config
from counterec.run import make_run


def main() -> None:
    print("| seed | recommender NDCG@5 | popularity NDCG@5 | times |")
    print("|---|---|---|---|")
    for seed in range(5):
        settings = {"data": {"world": {}}, "explain": {"methods": ["minimal"]}, "seed": seed}
        with TemporaryDirectory() as folder:
            ranking = make_run(make_config(settings, "benchmark"), Path(folder) / "run").evaluation["ranking"]
        ours, theirs = (ranking[who]["ndcg"]["value"] for who in ("recommender", "popularity"))
        print(f"| {seed} | {ours:.4f} | {theirs:.4f} | {ours / theirs:.1f} |", flush=True)


if __name__ == "__main__":
    main()
