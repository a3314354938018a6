# One image for every process: the gateway by default, `node dist/worker.js` for a worker, `node dist/cli.js` for the
# command line. README.md lists the environment variables.
#
# uWebSockets.js comes from a third-party build, because the official one is not in the npm registry (SECURITY.md). To take
# the official one, whose C library is that of Debian 13:
#
#   docker build --build-arg NODE_IMAGE=node:20.20.2-trixie-slim \
#     --build-arg UWEBSOCKETS=https://github.com/uNetworking/uWebSockets.js/archive/refs/tags/v20.52.0.tar.gz .
ARG NODE_IMAGE=node:20.20.2-bookworm-slim
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
COPY client ./client
COPY web ./web
COPY reference ./reference
COPY console ./console
RUN node scripts/build.mjs && rm -rf dist/dev

FROM base AS packages
ARG UWEBSOCKETS=""
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY scripts/check-uwebsockets.mjs scripts/prune-uwebsockets.mjs scripts/
# The last command fails when this build does not run on the image's C library.
RUN if [ -n "$UWEBSOCKETS" ]; then npm install --no-save --omit=dev --ignore-scripts --no-audit --no-fund "uWebSockets.js@$UWEBSOCKETS"; fi \
  && node scripts/prune-uwebsockets.mjs \
  && node scripts/check-uwebsockets.mjs

FROM base
ENV NODE_ENV=production HOST=0.0.0.0 PORT=9991 UPLOADS_DIR=/data/uploads MAIL_OUTBOX=/data/outbox
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# Uploaded files: mount the same volume here in every gateway and worker.
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 9991
# No shell and no npm: the process itself must receive SIGTERM, to drain.
CMD ["node", "--enable-source-maps", "--max-semi-space-size=32", "dist/gateway.js"]
