# syntax=docker/dockerfile:1
# The node in a small image: the wheel's environment is made in the first stage, the second has neither sources nor pip.
ARG PYTHON=3.11

FROM python:${PYTHON}-slim AS build
WORKDIR /src
RUN python -m venv /opt/loom
COPY constraints.txt ./
COPY pyproject.toml README.md LICENSE ./
COPY fixtures/kitchen fixtures/kitchen
COPY adapters adapters
COPY loom loom
RUN /opt/loom/bin/pip install --no-cache-dir --disable-pip-version-check --constraint constraints.txt '.[semantic,postgres]' \
 && /opt/loom/bin/python -m compileall -q /opt/loom/lib \
 && /opt/loom/bin/pip uninstall --yes --quiet setuptools pip

FROM python:${PYTHON}-slim
LABEL org.opencontainers.image.title="Loom" \
      org.opencontainers.image.description="Answers from knowledge you maintain, through any model" \
      org.opencontainers.image.licenses="Apache-2.0"
RUN groupadd --system --gid 10001 loom \
 && useradd --system --uid 10001 --gid loom --home-dir /generations --no-create-home --shell /usr/sbin/nologin loom \
 && install --directory --owner=loom --group=loom /generations /claims
COPY --from=build /opt/loom /opt/loom
COPY fixtures/kitchen /usr/share/loom/kitchen
COPY deploy/healthcheck.py /usr/share/loom/healthcheck.py
ENV PATH=/opt/loom/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    LOOM_HOST=0.0.0.0 \
    LOOM_PORT=8080 \
    LOOM_GENERATIONS=/generations \
    LOOM_CLAIMS_STORE=/claims/claims.sqlite \
    LOOM_LOG_FORMAT=json
# All interfaces: the node starts only with LOOM_API_KEYS_FILE, or with LOOM_INSECURE=1 where something else guards the port.
USER 10001:10001
VOLUME /generations /claims
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=4s --start-period=15s --retries=3 CMD ["python", "/usr/share/loom/healthcheck.py"]
ENTRYPOINT ["loom"]
CMD ["serve"]
