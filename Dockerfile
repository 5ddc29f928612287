# Parley as an image: docs/operations.md, "In containers", says how to run it.

# The packages of the server alone, with the Node that Parley pins and a private PostgreSQL.
FROM node:26-trixie-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1 AS packages
WORKDIR /parley
COPY package.json package-lock.json .npmrc ./
COPY apps/server/package.json apps/server/
COPY apps/web/package.json apps/web/
COPY packages/client/package.json packages/client/
COPY packages/command-line/package.json packages/command-line/
COPY packages/contract/package.json packages/contract/
COPY packages/rules/package.json packages/rules/
COPY packages/texts/package.json packages/texts/
RUN npm ci --omit=dev --workspace @parley/server --include-workspace-root

# The pages, and the client for npm. Pages show the programs of docs/quick-starts.md, and the mark when there is no network.
FROM packages AS pages
RUN npm ci --omit=dev
COPY tsconfig.json LICENSE ./
COPY scripts/build-web.ts scripts/pack-client.ts scripts/pack-python-client.ts scripts/write-tarball.ts scripts/
COPY scripts/python-client scripts/python-client
COPY docs/quick-starts.md docs/
COPY packages packages
COPY apps/web apps/web
COPY apps/server/src/service-info/icon.svg apps/server/src/service-info/
RUN npx node scripts/build-web.ts

FROM debian:trixie-slim@sha256:a29215f6a35e51e22adffa17f89e9d2ef06214e64a2bad10d765c46aea49f11f
# Two libraries of Node's, and an init that reaps what PostgreSQL's processes leave behind.
RUN apt-get update \
  && apt-get install -y --no-install-recommends libatomic1 libstdc++6 tini \
  && rm -rf /var/lib/apt/lists/* \
  # PostgreSQL refuses to run as root, and wants its user to have a name.
  && useradd --uid 10001 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin parley \
  && install --directory --owner parley --group parley --mode 0700 /data
WORKDIR /parley
COPY package.json ./
COPY --from=packages /parley/node_modules node_modules
COPY --from=packages /parley/apps/server/node_modules apps/server/node_modules
COPY packages/contract packages/contract
COPY packages/rules packages/rules
COPY packages/texts packages/texts
COPY apps/server apps/server
COPY CHANGELOG.md ./
COPY docs/*.md docs/
COPY --from=pages /parley/apps/web/dist apps/web/dist

ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data PATH=/parley/node_modules/.bin:$PATH
USER parley
VOLUME /data
EXPOSE 3000
# MEDIA_UDP_PORT, where the embedded engine carries calls.
EXPOSE 30000/udp
# Alive, rather than ready: a database that is away is not mended by starting Parley anew.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
# As npm start has them (scripts/service-flags.ts).
ENV MALLOC_ARENA_MAX=2
CMD ["node", "--max-semi-space-size=32", "--heap-growing-percent=50", "apps/server/src/main.ts"]
