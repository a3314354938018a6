# One image for every process: the gateway by default, `node dist/worker.js` for a worker, `node dist/cli.js` for the
# command line. Configured by the environment only; see README.md for the variables.
FROM node:20-bookworm-slim AS base
WORKDIR /app
COPY package.json package-lock.json ./

# The compiler and what it needs. No package has to build anything, so install scripts are left out.
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
# Uploaded files: mount one volume here in every gateway and worker.
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 9991
# The process itself must get SIGTERM, to drain: no shell and no npm above it.
CMD ["node", "--enable-source-maps", "dist/gateway.js"]
