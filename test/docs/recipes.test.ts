/**
 * The recipes of CONTRIBUTING.md: two of them are followed in a copy of the tree, first without the last steps. What
 * the recipe says of a step must be true: the compiler or the test that it names fails without the step.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { openScratchClone, type ScratchClone } from './scratch-clone.js'

const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')

/** The text of a recipe. */
const findRecipe = (title: string): string => {
  const [, text = ''] = page.split(`### ${title}\n`)
  return text.split(/^##/m)[0] as string
}

/** What the compiler looks at. All of test/ and bench/ would take longer than the rest of this test. */
const typeCheck = (...include: string[]) =>
  JSON.stringify({ extends: './tsconfig.check.json', compilerOptions: { incremental: false }, include })

/** The tests of the recipe that need no server. They import the sources of the copy, compiled, as all tests do. */
const testConfig = `
const root = import.meta.dirname
export default {
  resolve: {
    alias: [
      { find: /^(?:\\.\\.\\/)+src\\/(.*)\\.[jt]s$/, replacement: root + '/dist/$1.js' },
      { find: /^(?:(?:\\.\\.\\/)+rules\\/src|#rules)\\/(.*)\\.[jt]s$/, replacement: root + '/dist/rules/$1.js' },
    ],
  },
  test: { server: { deps: { external: [new RegExp('^' + root + '/dist/')] } } },
}
`

const compile = async (clone: ScratchClone) => {
  // The scripts of the clone find dist/ as a build would leave it.
  const finish = `
    import { writeFileSync } from 'node:fs'
    import { compileSources, copyMigrations, stamp } from './scripts/prepare.mjs'
    if (!compileSources('dist')) throw new Error('the sources do not compile')
    copyMigrations('dist')
    writeFileSync('dist/.stamp', stamp())`
  expect(await clone.run('--input-type=module', '--eval', finish)).toEqual({ code: 0, output: '' })
}

const check = (clone: ScratchClone, ...include: string[]) => {
  clone.write('tsconfig.recipe.json', typeCheck(...include))
  return clone.run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.recipe.json', '--pretty', 'false')
}

const runTests = (clone: ScratchClone, ...files: string[]) =>
  clone.run('node_modules/vitest/vitest.mjs', 'run', '--config', 'recipe.config.mjs', ...files)

test('A new setting of the organization needs each step of its recipe, and no other.', {
  timeout: 300_000,
}, async () => {
  const recipe = findRecipe('Add a setting of the organization')
  const declaration = 'src/domain/settings/realm-settings.ts'
  const values = 'test/setup/realm/setting-values.ts'
  const sections = 'test/register/sections.test.ts'
  const types = 'client/src/kernel/api-types.ts'
  const typesTest = 'test/client/api-types.test.ts'
  for (const step of [declaration, values, sections, 'npm run docs', types, typesTest]) {
    expect(recipe).toContain(`\`${step}\``)
  }
  using clone = openScratchClone(['test'])
  clone.write('recipe.config.mjs', testConfig)

  clone.insertAfter(declaration, '  invite_required: flag(', "  enable_weekly_summary: flag('server', false),")
  await compile(clone)
  const [refused, failed] = await Promise.all([check(clone, values), runTests(clone, sections, typesTest)])
  const faults = refused.output.split('\n').filter((line) => /^\S/.test(line))
  expect(faults, refused.output).toEqual([expect.stringContaining(values)])
  expect(refused.output).toContain("Property 'enable_weekly_summary' is missing")
  expect(failed.code, failed.output).not.toBe(0)
  expect(failed.output).toContain('realm_enable_weekly_summary')
  expect(failed.output).toContain(`${types} is out of date: run \`npm run docs\``)

  clone.insertAfter(values, '  invite_required: false,', '  enable_weekly_summary: true,')
  clone.insertAfter(sections, 'const realmKeys = `', '  realm_enable_weekly_summary')
  expect(await clone.run('scripts/docs.mjs')).toMatchObject({ code: 0 })
  expect(clone.read(types)).toContain('enable_weekly_summary')
  const [accepted, passed] = await Promise.all([
    check(clone, 'src', values, sections),
    runTests(clone, sections, typesTest),
  ])
  expect(accepted).toEqual({ code: 0, output: '' })
  expect(passed.code, passed.output).toBe(0)
})

const countingEndpoint = `
export const countAlertWords = endpoint({
  method: 'GET',
  path: '/users/me/alert_words/count',
  summary: 'Counts the alert words.',
  callers: 'nonGuest',
  permission: 'can_create_groups',
  condition: 'The caller reads the own words.',
  params: {},
  response: z.object({ count: z.int() }),
  handle: ({ state, caller }) => ({ count: state.alertWords.get(caller.id)?.words.length ?? 0 }),
})
`

/** Prints what the API reference says of the endpoint. */
const describeEndpoint = `
import { entryKinds } from './dist/domain/entry-kinds.js'
import { registry } from './dist/gateway/api/index.js'
import { composeOpenApiDocument } from './dist/gateway/site/openapi.js'
const { paths } = await composeOpenApiDocument(registry, entryKinds)
console.log(paths['/users/me/alert_words/count'].get.description.split('\\n')[0])`

test('A new endpoint is a definition and a line of the registry; its types are generated.', {
  timeout: 300_000,
}, async () => {
  const recipe = findRecipe('Add an endpoint')
  const index = 'src/gateway/api/index.ts'
  const types = 'client/src/kernel/api-types.ts'
  const typesTest = 'test/client/api-types.test.ts'
  for (const step of ['src/gateway/api/<feature>/<resource>.ts', index, 'npm run docs', types, typesTest]) {
    expect(recipe).toContain(`\`${step}\``)
  }
  using clone = openScratchClone(['test'])
  clone.write('recipe.config.mjs', testConfig)
  const definitions = 'src/gateway/api/users/alert-words.ts'
  clone.write(definitions, clone.read(definitions) + countingEndpoint)
  clone.insertAfter(index, "from './users/alert-words.js'", "import { countAlertWords } from './users/alert-words.js'")
  clone.insertAfter(index, '  removeAlertWords,', '  countAlertWords,')
  await compile(clone)
  expect(await clone.run('--input-type=module', '--eval', describeEndpoint)).toEqual({
    code: 0,
    output:
      'Who may call: Every account but guests, with the permission `can_create_groups`. The caller reads the own words. The scope of an API key with a name: `administer`.\n',
  })
  const failed = await runTests(clone, typesTest)
  expect(failed.code, failed.output).not.toBe(0)
  expect(failed.output).toContain(`${types} is out of date: run \`npm run docs\``)
  expect(await clone.run('scripts/docs.mjs')).toMatchObject({ code: 0 })
  expect(clone.read(types)).toContain("'GET /users/me/alert_words/count'")
  const passed = await runTests(clone, typesTest)
  expect(passed.code, passed.output).toBe(0)
})
