# The API of one run: mount the run at /run (read-only), and a file with the token at /token.
FROM python:3.12-slim

ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 OMP_NUM_THREADS=1
WORKDIR /build
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY src ./src
# torch first and by itself, for processors alone; then the package with what serving needs.
RUN pip install -c constraints.txt torch --index-url https://download.pytorch.org/whl/cpu \
    && pip install -c constraints.txt ".[service]" \
    && rm -rf /build

RUN useradd --create-home --uid 10001 counterec
USER counterec
WORKDIR /home/counterec
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
    CMD python -c "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8080/readyz', timeout=4)"
ENTRYPOINT ["counterec", "serve", "/run", "--api-only", "--host", "0.0.0.0", "--token-file", "/token"]
CMD ["--workers", "2"]
