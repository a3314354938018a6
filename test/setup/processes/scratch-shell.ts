/** A shell on a scratch machine, which runs one block of commands after the other and keeps their variables. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'

/** Runs commands, of which none may fail. @returns what they printed */
export type Shell = (commands: string) => Promise<string>

/** Within this time, each block of a page has ended. */
const BLOCK_MS = 120_000

/**
 * Opens a shell that ends at the first command that fails.
 * @param enter the arguments of nsenter that lead to the machine
 * @param file the begin of the names of files with the commands, in the folder that the machine has as /substitutes
 * @param readLogs explains a failure
 */
export const openShell = (enter: readonly string[], file: string, readLogs: () => string): Shell => {
  const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  const options = ['--norc', '--noprofile', '-eu', '-o', 'pipefail']
  const child = spawn('nsenter', [...enter, 'bash', ...options], {
    env: { PATH, HOME: '/root', LANG: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let printed = ''
  let notice = () => {}
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      notice()
    })
  }
  const ended = once(child, 'exit').then(([code]) => `ended with ${code}`)
  let count = 0
  return async (commands) => {
    const end = `end of block ${++count}\n`
    printed = ''
    // The commands are read from a file, so none of them can read the next ones.
    writeFileSync(`${file}-${count}.sh`, commands)
    child.stdin.write(`. /substitutes/${basename(file)}-${count}.sh < /dev/null\nprintf '${end}'\n`)
    const late = new Promise<string>((resolve) => {
      setTimeout(() => resolve(`did not end within ${BLOCK_MS / 1_000} s`), BLOCK_MS).unref()
    })
    const done = new Promise<undefined>((resolve) => {
      notice = () => {
        if (printed.includes(end)) resolve(undefined)
      }
    })
    const problem = await Promise.race([ended, late, done])
    if (problem !== undefined) throw new Error(`A block ${problem}:\n${commands}\n${printed}\n${readLogs()}`)
    return printed.replace(end, '')
  }
}
