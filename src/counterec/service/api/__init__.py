"""The API for programs: FastAPI routes over a run, described by OpenAPI, errors as problem documents."""
