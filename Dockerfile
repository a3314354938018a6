# One image for every process: the gateway by default, `node dist/worker.js` for a worker, `node dist/cli.js` for the
# command line. README.md lists the environment variables.
FROM node:20-bookworm-slim AS base
WORKDIR /app
COPY package.json package-lock.json ./

# Compiles the sources. No package needs its install script, so install scripts are not run.
FROM base AS build
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY scripts ./scripts
COPY src ./src
RUN node scripts/build.mjs && rm -rf dist/dev

FROM base AS packages
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM base
ENV NODE_ENV=production HOST=0.0.0.0 PORT=9991 UPLOADS_DIR=/data/uploads MAIL_OUTBOX=/data/outbox
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# Uploaded files: mount the same volume here in every gateway and worker.
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 9991
# No shell and no npm: the process itself must receive SIGTERM, to drain.
CMD ["node", "--enable-source-maps", "dist/gateway.js"]
