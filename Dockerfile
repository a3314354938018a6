# One image for every process: the gateway by default, `node dist/worker.js` for a worker, `node dist/cli.js` for the
# command line. README.md lists the environment variables.
#
# The image needs the C library of Debian 13 (trixie), and Node 24 or 22.
#
# uWebSockets.js comes from a third-party build, because the official one is not in the npm registry (SECURITY.md). Where
# GitHub can be reached, take the official one instead, or compare the binary with it: the build fails if it differs.
#
#   official=https://github.com/uNetworking/uWebSockets.js/archive/refs/tags/v20.57.0.tar.gz
#   docker build --build-arg UWEBSOCKETS=$official .
#   docker build --build-arg UWEBSOCKETS_SHA256=$(curl -sL $official | tar -xzO --wildcards '*/uws_linux_x64_137.node' | sha256sum | cut -c-64) .
#
# `node dist/cli.js --version` names the commit if the build is told: --build-arg COMMIT=$(git rev-parse HEAD)
ARG NODE_IMAGE=node:24.21.0-trixie-slim
FROM ${NODE_IMAGE} AS base
WORKDIR /app
COPY package.json package-lock.json ./
COPY client/package.json client/
COPY web/package.json web/

# Compiles the sources. No package needs its install script, so install scripts are not run.
FROM base AS build
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY scripts ./scripts
COPY src ./src
COPY rules ./rules
COPY client ./client
COPY web ./web
COPY reference ./reference
COPY console ./console
ARG COMMIT=""
RUN node scripts/build.mjs && rm -rf dist/dev

FROM base AS packages
ARG UWEBSOCKETS=""
ARG UWEBSOCKETS_SHA256=""
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY scripts/check-uwebsockets.mjs scripts/prune-uwebsockets.mjs scripts/uwebsockets.sha256 scripts/
# The last command fails when this build does not run on the image's C library, or has other hashes than the recorded ones.
RUN if [ -n "$UWEBSOCKETS" ]; then npm install --no-save --omit=dev --ignore-scripts --no-audit --no-fund "uWebSockets.js@$UWEBSOCKETS"; fi \
  && node scripts/prune-uwebsockets.mjs \
  && node scripts/check-uwebsockets.mjs ${UWEBSOCKETS_SHA256:-${UWEBSOCKETS:+any}}

FROM base
ENV NODE_ENV=production HOST=0.0.0.0 PORT=9991 UPLOADS_DIR=/data/uploads MAIL_OUTBOX=/data/outbox
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# Uploaded files: mount the same volume here in every gateway and worker.
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 9991
# No shell and no npm: the process itself must receive SIGTERM, to drain.
CMD ["node", "--max-semi-space-size=32", "dist/gateway.js"]
