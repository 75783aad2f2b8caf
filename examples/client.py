"""The same questions to a server: a script moves from a folder to a server by changing one line."""

import json
import subprocess
import sys

from small_run import FOLDER, small_run

from counterec import sentence
from counterec.client import connect

small_run()
serve = ["serve", FOLDER.name, "--api-only", "--port", "0", "--json", "--quiet"]
with subprocess.Popen(
    [sys.executable, "-m", "counterec.cli.main", *serve], stdout=subprocess.PIPE, text=True
) as server:
    assert server.stdout is not None
    told = "".join(iter(server.stdout.readline, "}\n")) + "}"
    run = connect(json.loads(told)["url"])  # instead of open_run(folder)
    answers = run.explain("U0005")
    for row in answers.iter_rows(named=True):
        print(sentence(run.record(row)))
    first, aspects = answers["item_id"][0], answers["aspects"][0]
    for place in run.reranked("U0005", {first: {aspects[0]: 1.0}})[:5]:
        print(f"{place.position}. {place.name} (was {place.position_before})")
    run.close()
    server.terminate()
