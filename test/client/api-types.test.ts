/** The types of the client library, which `npm run docs` generates from the OpenAPI document. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
// @ts-expect-error A script of the client library, without types.
import { generateApiTypes } from '../../client/scripts/api-types.mjs'
import { root } from '../../src/dev/root.js'
import { entryKinds } from '../../src/domain/entry-kinds.js'
import { registry } from '../../src/gateway/api/index.js'
import { composeOpenApiDocument } from '../../src/gateway/site/openapi.js'

test('The types of the client library are those of the endpoints and events: otherwise run `npm run docs`.', {
  timeout: 60_000,
}, async () => {
  const generated = await generateApiTypes(await composeOpenApiDocument(registry, entryKinds))
  const committed = readFileSync(join(root, 'client/src/kernel/api-types.ts'), 'utf8')
  expect(generated === committed, 'client/src/kernel/api-types.ts is out of date: run `npm run docs`').toBe(true)
})
