/**
 * Every benchmark runs to its end, in its smallest form, and the report is written. Its figures mean nothing then, and
 * are not looked at.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { findChromium } from '../setup/web/chromium.js'

const files = readdirSync(join(root, 'bench')).filter((file) => file.endsWith('.bench.ts'))
const all = files.map((file) => file.replace('.bench.ts', ''))
const hasBrowser = findChromium() !== undefined
// Its twelve kinds of abuse take a minute, which the suite does not have: run `npm run bench -- --smoke hostile`.
const tooLong = 'hostile'
const inBrowser = ['web', 'reading', 'tabs']
const names = all.filter((name) => name !== tooLong && (hasBrowser || !inBrowser.includes(name)))

/** Runs the benchmarks. @returns their exit code, and what they printed */
const runBenches = async (args: readonly string[]): Promise<{ code: number | null; output: string }> => {
  const child = spawn(process.execPath, ['scripts/bench.mjs', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const print = (part: Buffer) => {
    output += String(part)
  }
  child.stdout.on('data', print)
  child.stderr.on('data', print)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

test(`The benchmarks ${names.join(', ')} run to their end.`, { timeout: 600_000, retry: 0 }, async () => {
  const { code, output } = await runBenches(['--smoke', '--report', ...names])
  expect(code, output).toBe(0)
  const questions = output.match(/^ *\[[\d.]+s\] (What|How|Does) .*\?/gm) ?? []
  expect(questions, output).toHaveLength(names.length)
  expect(output).toContain('measurement ')
  expect(output).toMatch(/Wrote .*REPORT\.md/)
})

test.skipIf(hasBrowser)(
  `The benchmarks ${inBrowser.join(', ')} are skipped: there is no Chromium (\`apt-get install chromium\`).`,
  () => {},
)
