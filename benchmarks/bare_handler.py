"""What a FastAPI handler costs that does nothing: returns a constant. Started by ``benchmarks.service``."""

from __future__ import annotations

import socket
import sys

import uvicorn
from fastapi import FastAPI
from fastapi.responses import Response


def bare() -> FastAPI:
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    @app.post("/api/v1/explain")
    async def constant() -> Response:
        return Response(b'{"constant": true}', media_type="application/json")

    return app


if __name__ == "__main__":
    listening = socket.create_server(("127.0.0.1", int(sys.argv[1])))
    print(f'{{\n"url": "http://127.0.0.1:{listening.getsockname()[1]}/"\n}}', flush=True)
    uvicorn.Server(uvicorn.Config(bare(), access_log=False, log_level="warning")).run([listening])
