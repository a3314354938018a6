/** Each program of dist/ is a few files, which Node loads in half the time of a thousand modules. */
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { isBuiltin, SourceMap } from 'node:module'
import { join } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'
import { expect, inject, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { openSql } from '../../src/store/sql.js'

const dist = join(root, 'dist')

const native = ['uWebSockets.js', '@node-rs/argon2']

const importStatement = /^(?:import|export)\b[^'"\n]*?["']([^"'\n]+)["'];?$/gm

/** All that the files of a program import at its start, except each other. */
const importsOfProgram = (entry: string): Set<string> => {
  const outside = new Set<string>()
  const files = [entry]
  for (const file of files) {
    const text = readFileSync(join(dist, file), 'utf8')
    for (const [, target = ''] of text.matchAll(importStatement)) {
      if (!target.startsWith('./')) outside.add(target)
      else if (!files.includes(target.slice(2))) files.push(target.slice(2))
    }
  }
  expect(files.every((file) => file === entry || file.startsWith('part-'))).toBe(true)
  return outside
}

test.each(['gateway.js', 'worker.js', 'cli.js'])('%s loads nothing but its own files and native packages.', (entry) => {
  const packages = [...importsOfProgram(entry)].filter((name) => !isBuiltin(name))
  expect(packages.filter((name) => !native.includes(name))).toEqual([])
})

test('The source maps name each line, and are small: Node keeps them in memory from the first stack trace on.', () => {
  const bundled = readdirSync(dist).filter((name) => /^(?:gateway|worker|cli|part-.*)\.js\.map$/.test(name))
  const bytes = bundled.reduce((sum, name) => sum + statSync(join(dist, name)).size, 0)
  expect(bytes).toBeGreaterThan(100_000)
  expect(bytes).toBeLessThan(3_000_000)
  const text = 'uWebSockets.js does not load on'
  const lines = readFileSync(join(dist, 'gateway.js'), 'utf8').split('\n')
  const at = lines.findIndex((line) => line.includes(text))
  const map = new SourceMap(JSON.parse(readFileSync(join(dist, 'gateway.js.map'), 'utf8')))
  const entry = map.findEntry(at, lines[at]?.indexOf(text) ?? 0)
  if (!('originalSource' in entry)) throw new Error(`line ${at + 1} of gateway.js has no source`)
  expect(entry.originalSource).toMatch(/src\/gateway\/transport\/native-library\.ts$/)
  const source = readFileSync(join(root, 'src/gateway/transport/native-library.ts'), 'utf8').split('\n')
  expect(source.slice(entry.originalLine, entry.originalLine + 3).join('\n')).toContain(text)
})

test('map-traces names the sources in a trace that a production process has written.', {
  timeout: 60_000,
}, async () => {
  // An error that no sentence explains: an account of Postgres that may not read the table.
  const role = `blind_${randomBytes(4).toString('hex')}`
  const sql = openSql(inject('database_url'), 1)
  await sql.unsafe(`create role ${role} login password '${role}'; grant select on migrations, deployment to ${role}`)
  const url = new URL(inject('database_url'))
  Object.assign(url, { username: role, password: role })
  const env = { ...inject('process_env'), DATABASE_URL: url.href }
  const run = (args: string[], input = '') =>
    spawnSync(process.execPath, [join(dist, 'cli.js'), ...args], { env, input, encoding: 'utf8' })
  const trace = run(['list-realms']).stderr
  expect(trace).toMatch(/at .*listRealms \(file:.*\/dist\/cli\.js:\d+:\d+\)/)
  // The second one is as it is in a line of the log, and from another machine.
  const logged = JSON.stringify({ stack: trace.replaceAll(`file://${dist}`, 'file:///app/dist') })
  const mapped = run(['map-traces'], `${trace}${logged}`).stdout
  expect(mapped).not.toContain('/dist/')
  const found = [...mapped.matchAll(/listRealms \(src\/administration\/administration\.ts:(\d+):\d+\)/g)]
  expect(found).toHaveLength(2)
  const source = readFileSync(join(root, 'src/administration/administration.ts'), 'utf8').split('\n')
  for (const [, line] of found)
    expect(source.slice(Number(line) - 4, Number(line) + 1).join('\n')).toContain('listRealms')
  await sql.unsafe(`drop owned by ${role}; drop role ${role}`)
  await sql.end()
})

/** What a program's text contains of the form that V8 treats badly, by the rule of scripts/bundle.mjs. */
const findSlowForms = (text: string): string[] => {
  const found: string[] = []
  const add = (start: number) => found.push(text.slice(start, start + 60))
  new Visitor({
    AssignmentExpression({ operator, left, right, start }) {
      const isFunction = right.type === 'ArrowFunctionExpression' || right.type === 'FunctionExpression'
      if (operator === '=' && left.type === 'MemberExpression' && isFunction) add(start)
    },
  }).visit(parseSync('program.js', text, { preserveParens: false }).program)
  return found
}

// It parses the programs, which takes seconds on a busy machine.
test('No function is written as the value of a property.', { timeout: 60_000 }, () => {
  const programs = readdirSync(dist).filter((name) => name.endsWith('.js'))
  expect(programs.flatMap((name) => findSlowForms(readFileSync(join(dist, name), 'utf8')))).toEqual([])
})

/** What a program prints that may use the functions of V8's own tests. */
const runInV8 = (program: string): string =>
  execFileSync(process.execPath, ['--allow-natives-syntax', '--eval', program], { encoding: 'utf8' }).trim()

test('V8 allocates the value of an expression with the young objects, and such a function with the old ones.', () => {
  const count = (value: string) => `
    class Statement { constructor(rows) { this.resolve = ${value} } }
    let young = 0
    for (let i = 0; i < 100; i++) if (%InYoungGeneration(new Statement([i]).resolve)) young += 1
    console.log(young)`
  expect([runInV8(count('() => rows')), runInV8(count('(0, () => rows)'))]).toEqual(['0', '100'])
})

test('V8 gives objects that begin with a spread and have a new key one hidden class, so no form of them is slow.', () => {
  const program = `
    const add = (row, id) => ({ ...row, id })
    const made = []
    for (let id = 0; id < 200; id++) made.push(add({ name: 'Ada', role: 400 }, id))
    // The function is compiled with what V8 has seen of its first calls.
    const warm = made.slice(100)
    console.log(warm.filter((object, i) => i > 0 && %HaveSameMap(object, warm[i - 1])).length)`
  expect(runInV8(program)).toBe('99')
})
