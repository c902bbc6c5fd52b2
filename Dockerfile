# The service, without a database of its own: it needs POCHA_DATABASE_URL and POCHA_SECRET, and writes nothing to disk.
# Any Debian with Python 3.11 or newer will do as the base; name it by digest to know what you build on.
ARG PYTHON_IMAGE=python:3.11-slim-bookworm

FROM ${PYTHON_IMAGE} AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /build
# Two environments: `tools` packs and installs, `/opt/pocha` is what will run, and has not even pip.
RUN python3 -m venv tools && python3 -m venv --without-pip /opt/pocha
COPY requirements-build.lock requirements-run.lock ./
# Only wheels: nothing is compiled here, and no compiler is needed. The lock leaves out what packages ask for and the service never imports.
RUN tools/bin/pip install --require-hashes --only-binary :all: -r requirements-build.lock \
    && tools/bin/pip --python /opt/pocha/bin/python install --no-deps --require-hashes --only-binary :all: --no-compile \
        -r requirements-run.lock \
    && rm -r /opt/pocha/lib/python3*/site-packages/certifi/tests
COPY pyproject.toml LICENSE README.md CHANGELOG.md CONTRIBUTING.md DECISIONS.md SECURITY.md ./
COPY api api
COPY docs docs
COPY k8s/README.md k8s/README.md
COPY domain domain
COPY service service
RUN tools/bin/pip wheel --no-deps --no-build-isolation --wheel-dir wheels . \
    && tools/bin/pip --python /opt/pocha/bin/python install --no-deps --no-index --no-compile wheels/*.whl

FROM ${PYTHON_IMAGE}
# tini: process 1 must pass signals on, also before Python has set up its own handlers, and reap what `kubectl exec` leaves behind.
# The base image's own installers go: nothing is installed at run time.
RUN apt-get update \
    && apt-get install -y --no-install-recommends tini=0.19.* \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /usr/share/python-wheels \
        /usr/local/bin/pip* /usr/local/bin/wheel \
        /usr/local/lib/python3*/site-packages/* /usr/local/lib/python3*/ensurepip /usr/lib/python3*/ensurepip \
    && groupadd --system --gid 10001 pocha \
    && useradd --system --no-log-init --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent \
        --shell /usr/sbin/nologin pocha
COPY --from=build /opt/pocha /opt/pocha
# It starts here once, to see that it can, and to compile what it imports, of the standard library as well: on a read-only root file
# system, every start would compile it again.
# So is the search of hard robots, for any processor of this kind of machine.
ENV NUMBA_CPU_NAME=generic
RUN /opt/pocha/bin/pocha --version && /opt/pocha/bin/python -m domain.robots.warm_up
ENV PATH=/opt/pocha/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PYTHONFAULTHANDLER=1 POCHA_HOST=0.0.0.0
# A number, so that Kubernetes can see that it is not root.
USER 10001:10001
EXPOSE 8000
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="pocha" \
    org.opencontainers.image.description="La Pocha, the Spanish card game of exact bids, as a REST service" \
    org.opencontainers.image.licenses="MIT" \
    org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.revision="${REVISION}"
ENTRYPOINT ["tini", "--", "pocha"]
CMD ["serve"]
