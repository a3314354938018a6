/**
 * Runs the code of a guide: the commands of all its `sh` blocks as one script, in a folder that looks like a clone with
 * a running demo. A block with a name (`js <name>`) is written to that file first.
 *
 * A block that cannot be run has a comment before it that says why: `<!-- not run: … -->`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../../src/dev/root.js'

/** One block of code. */
export interface Block {
  language: string
  /** the file to which it is written */
  file: string | undefined
  code: string
  /** why it is not run */
  reason: string | undefined
}

/** Blocks in these languages are shown, and not run. */
const shown = new Set(['', 'ini', 'json', 'text'])

/** Finds the blocks of code in Markdown. */
export const findBlocks = (markdown: string): Block[] =>
  [...markdown.matchAll(/(?:<!-- not run: ([^>]+?) -->\s*)?^( *)```(\w*)(?: (\S+))?\n([\s\S]*?)^\2```$/gm)].map(
    ([, reason, indent = '', language = '', file, code = '']) => ({
      language,
      file,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      reason,
    }),
  )

/** Finds the blocks that would neither be run nor say why. */
export const findForgotten = (blocks: readonly Block[]): Block[] =>
  blocks.filter(
    ({ language, file, reason }) =>
      reason === undefined && !shown.has(language) && language !== 'sh' && file === undefined,
  )

/** Where and with what a guide runs. */
export interface GuideRun extends Disposable {
  folder: string
  /** Runs the guide. @returns what it printed. Throws an error with that text if a command fails */
  run(guide: string, env?: Record<string, string>): Promise<string>
}

/** Makes a folder with the parts of a clone that guides use. @param demo the content of .data/dev.json */
export const openGuideRun = (demo?: object): GuideRun => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-guide-'))
  for (const name of ['node_modules', 'scripts', 'dist']) symlinkSync(join(root, name), join(folder, name))
  mkdirSync(join(folder, '.data'))
  writeFileSync(join(folder, '.data/dev.json'), JSON.stringify(demo ?? {}))
  return {
    folder,
    async run(guide, env = {}) {
      const blocks = findBlocks(readFileSync(join(root, 'docs', guide), 'utf8')).filter(
        ({ reason }) => reason === undefined,
      )
      for (const { file, code } of blocks) {
        if (file === undefined) continue
        mkdirSync(dirname(join(folder, file)), { recursive: true })
        writeFileSync(join(folder, file), code)
      }
      const script = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code)
      return runScript(folder, script.join('\n'), env)
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

const runScript = async (cwd: string, script: string, env: Record<string, string>): Promise<string> => {
  const child = spawn('bash', ['-eu', '-o', 'pipefail', '-c', script], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text))
  try {
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`The script ended with ${code}:\n${printed}`)
    return printed
  } finally {
    // The group: a command that failed may have left programs in the background.
    if (child.pid !== undefined) killGroup(child.pid)
  }
}

const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
