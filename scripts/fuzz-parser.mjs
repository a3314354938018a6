/**
 * Fuzzes one parser with coverage feedback, from the kept inputs, and keeps those that reach other code.
 *
 * @jazzer.js/core runs the function of test/fuzz/parsers/targets.ts. Its inputs are files of a working folder, which is
 * packed into one text file for each parser afterwards: test/fuzz/parsers/corpus.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { installPackages } from './clone/packages.mjs'
import { prepareTools, root } from './prepare.mjs'

/** Longer inputs find little, and take more time. */
const MAX_INPUT_BYTES = 512
/** An input that takes longer is a fault. */
const TIMEOUT_SECONDS = 10
/** The size of what is kept of one parser: the smallest inputs that reach all code together. */
const MAX_KEPT_BYTES = 48 * 1024

const folder = `${root}test/fuzz/parsers`
const work = `${root}test/.fuzz`

/**
 * Fuzzes a parser.
 * @returns the exit status: 0 if no input was a fault
 */
export async function fuzzParser(name, seconds) {
  await prepareTools()
  for (const needed of ['test', 'test/fuzz/parsers']) installPackages(needed)
  const { rolldown } = await import('rolldown')
  const { findRules } = await import('./bundle.mjs')
  const bundle = await rolldown({
    input: `${folder}/targets.ts`,
    platform: 'node',
    external: (id) => !/^[./#]/.test(id),
    plugins: [findRules],
  })
  await bundle.write({ file: `${work}/targets.mjs`, format: 'esm' })
  const { targets } = await import(`${work}/targets.mjs`)
  if (!Object.hasOwn(targets, name)) {
    console.error(`There is no parser ${name}. These are the parsers: ${Object.keys(targets).join(', ')}.`)
    return 1
  }
  const inputs = `${work}/${name}`
  const merged = `${work}/${name}.merged`
  for (const path of [inputs, merged]) {
    rmSync(path, { recursive: true, force: true })
    mkdirSync(path, { recursive: true })
  }
  const kept = `${folder}/corpus/${name}.txt`
  const lines = readLines(kept)
  for (const [i, line] of lines.entries()) writeFileSync(`${inputs}/${i}`, Buffer.from(line, 'base64'))

  // Processes that answer someone come first.
  setPriority(19)
  const status = jazzer(name, [inputs], [`-max_total_time=${seconds}`, `-max_len=${MAX_INPUT_BYTES}`])
  jazzer(name, [merged, inputs], ['-merge=1'])
  writeFileSync(kept, pack(merged, lines))
  console.log(`${readLines(kept).length} inputs are kept in test/fuzz/parsers/corpus/${name}.txt`)
  return status
}

function jazzer(name, folders, options) {
  const cli = `${folder}/node_modules/@jazzer.js/core/dist/cli.js`
  const own = [`${work}/targets.mjs`, ...folders, '--sync', '-f', name, '-i', `${work}/`]
  const fuzzer = [`-timeout=${TIMEOUT_SECONDS}`, `-artifact_prefix=${work}/`, '-print_final_stats=1', ...options]
  return spawnSync(process.execPath, [cli, ...own, '--', ...fuzzer], { cwd: work, stdio: 'inherit' }).status ?? 1
}

/** The merged inputs, the smallest first, up to MAX_KEPT_BYTES; what was kept before, if nothing was merged. */
function pack(merged, before) {
  const found = readdirSync(merged).map((name) => readFileSync(`${merged}/${name}`).toString('base64'))
  const sorted = (found.length === 0 ? before : found).sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  let size = 0
  return sorted
    .filter((line) => {
      size += line.length + 1
      return size <= MAX_KEPT_BYTES
    })
    .map((line) => `${line}\n`)
    .join('')
}

function readLines(file) {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  } catch {
    return []
  }
}
