/**
 * Writes what is generated from the sources: the table of variables in docs/configuration.md, from
 * src/config/config.ts; the table of limits in SECURITY.md, from the constants that src/dev/security-limits.ts names;
 * and the types of the client library, client/src/kernel/api-types.ts, from the OpenAPI document.
 *
 *   npm run docs
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { prepare, root } from './prepare.mjs'

await prepare()
const { writeConfigurationTable } = await import('../dist/dev/configuration-table.js')
const configuration = `${root}docs/configuration.md`
writeFileSync(configuration, writeConfigurationTable(readFileSync(configuration, 'utf8')))
const { writeLimitsTable } = await import('../dist/dev/security-limits.js')
const security = `${root}SECURITY.md`
writeFileSync(security, writeLimitsTable(readFileSync(security, 'utf8')))

const { composeOpenApiDocument } = await import('../dist/gateway/site/openapi.js')
const { generateApiTypes } = await import('../client/scripts/api-types.mjs')
const { registry } = await import('../dist/gateway/api/index.js')
const { entryKinds } = await import('../dist/domain/entry-kinds.js')
const document = await composeOpenApiDocument(registry, entryKinds)
writeFileSync(`${root}client/src/kernel/api-types.ts`, generateApiTypes(document))
