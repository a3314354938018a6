/**
 * A copy of the sources in a folder of its own, in which a test changes files and runs the checks of a clone.
 *
 * 1. It has every file that git would commit, as it is in this clone now, and none that git ignores.
 * 2. Packages are not copied: their folders are links to those of this clone.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../../src/dev/root.js'

/** How a command ended, and what it printed. */
export interface Ended {
  code: number | null
  output: string
}

export interface ScratchClone extends Disposable {
  read(file: string): string
  write(file: string, text: string): void
  /** Inserts lines after the only line that contains a text. Throws if there is no such line, or more than one. */
  insertAfter(file: string, text: string, lines: string): void
  /** Runs a script of Node in the copy. */
  run(...args: string[]): Promise<Ended>
}

/** Makes a copy. @param packages the folders whose packages it needs, beside those of the root */
export const openScratchClone = (packages: readonly string[]): ScratchClone => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-clone-'))
  for (const file of listFiles()) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  for (const name of ['', ...packages]) {
    symlinkSync(join(root, name, 'node_modules'), join(folder, name, 'node_modules'))
  }
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
  return {
    read,
    write,
    insertAfter(file, text, added) {
      const lines = read(file).split('\n')
      const found = lines.filter((line) => line.includes(text))
      if (found.length !== 1) throw new Error(`${found.length} lines of ${file} contain ${text}`)
      lines.splice(lines.indexOf(found[0] as string) + 1, 0, added)
      write(file, lines.join('\n'))
    },
    async run(...args) {
      const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text) => {
          output += text
        })
      }
      const [code] = (await once(child, 'close')) as [number | null]
      return { code, output }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** Lists the files that git has, or would add. */
const listFiles = (): string[] => {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ls-files failed: ${stderr}`)
  return stdout.split('\0').filter((file) => file !== '' && existsSync(join(root, file)))
}
