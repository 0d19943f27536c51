# syntax=docker/dockerfile:1
# The base is a tag here, because its digest could not be looked up where this file was written. Pin it:
#   docker buildx imagetools inspect node:24-trixie-slim --format '{{.Manifest.Digest}}'
#   docker build --build-arg BASE=node:24-trixie-slim@sha256:… .
# Both platforms: docker buildx build --platform linux/amd64,linux/arm64 .
# No builder and no hadolint were at hand either: test/deploy runs deploy/image/assemble-cli.ts on a plain
# folder, serves from it as another user, and holds this file against its rules with dockerfile-utils.
ARG BASE=node:24-trixie-slim

FROM ${BASE} AS build
WORKDIR /checkout
COPY package.json package-lock.json .npmrc ./
COPY own-node own-node
RUN npm ci --omit=dev
COPY . .
RUN node deploy/image/assemble-cli.ts /app

FROM ${BASE}
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Geoopslag" \
      org.opencontainers.image.description="Property and geodata lookups for Denmark" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.base.name="docker.io/library/node:24-trixie-slim"
# npm stays, for the commands of the documents. It wants a home, which a user that no list has is given here.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/data \
    HOME=/tmp \
    NODE_COMPILE_CACHE=/app/compiled \
    npm_config_logs_max=0
WORKDIR /app
COPY --from=build /app /app
RUN install -d -o 10001 -g 10001 -m 0700 /data /shared /app/compiled
# A number, as Kubernetes wants to see that it is not root.
USER 10001:10001
# Compiled once, by the user that runs it, as Node keeps it by user: a start takes a third less.
RUN ["node", "-e", "import('./src/start/service.ts')"]
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=3m --start-interval=2s --retries=3 \
  CMD ["node", "deploy/image/health-cli.ts", "http://127.0.0.1:8080/readyz"]
CMD ["node", "src/start/main.ts"]
