"""A small world of phones with a quickly trained net: what the other examples ask about."""

from tempfile import TemporaryDirectory

from counterec import Run, make_config, make_run

SETTINGS = {
    "data": {"world": {"users": 80, "items": 100, "aspects": 12}},
    "model": {"kind": "net"},
    "training": {"epochs": 12, "learning_rate": 0.003},
    "explain": {"methods": ["minimal"]},
    "seed": 3,
}
FOLDER = TemporaryDirectory()  # goes when the example ends


def small_run() -> Run:
    return make_run(make_config(SETTINGS, "examples/small_run.py"), FOLDER.name)


if __name__ == "__main__":
    print(small_run())
