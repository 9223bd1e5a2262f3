# syntax=docker/dockerfile:1
# The server alone: Valkey and Postgres run beside it (docker-compose.yml). Two stages, so that no compiler or cache is shipped.

FROM python:3.13-slim-bookworm AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /srv/quezhuo
RUN python -m venv /srv/venv
# What the server imports, and nothing else: no test tools, no embedded stores. Its own part of requirements.lock.
COPY app/serving/compose/requirements.lock ./
RUN /srv/venv/bin/pip install --no-deps --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY migrations ./migrations
COPY app ./app
RUN /srv/venv/bin/pip install --no-deps --no-build-isolation --editable . \
    && /srv/venv/bin/pip uninstall --yes setuptools \
    && python -m compileall -q app

FROM python:3.13-slim-bookworm
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin quezhuo
COPY --from=build /srv /srv
WORKDIR /srv/quezhuo
ENV PATH=/srv/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    MJ_HOST=0.0.0.0 \
    MJ_PORT=8000 \
    MJ_EMBEDDED=false
USER 10001
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=3s --start-period=60s --start-interval=1s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
CMD ["mj", "up"]
