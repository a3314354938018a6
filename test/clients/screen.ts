/**
 * A program in a terminal of 140 by 44, driven by keys and read as text: tmux is the terminal.
 *
 * What is awaited is awaited on the screen. Where a run is asked to (CAPTURES=write), it keeps what it saw as text.
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pause } from './pause.js'

const WIDTH = 140
const HEIGHT = 44
/** Windows grow by a line at a time, up to this and back: no size comes again soon. */
const MOST_LINES_MORE = 20
const BETWEEN_KEYS_MS = 120
/** Programs take an escape and a key right after it for one key. */
const AFTER_ESCAPE_MS = 400
const PATIENCE_MS = 20_000

const folder = join(import.meta.dirname, 'captures')
const run = promisify(execFile)
let count = 0

export interface Screen extends AsyncDisposable {
  /** Presses keys by the names that tmux has for them: `Enter`, `Escape`, `C-d`, `j`. */
  keys(...names: string[]): Promise<void>
  /** Types a text as it is. */
  type(text: string): Promise<void>
  /** What is to be seen now. */
  text(): Promise<string>
  /** Waits until something is to be seen. @returns the screen, on which it is */
  shows(what: string | RegExp): Promise<string>
  /** Waits until something is to be seen no more. */
  hides(what: string | RegExp): Promise<string>
  /** Waits until the screen says so. */
  becomes(wanted: (text: string) => boolean, what: string): Promise<string>
  /** Has the program draw everything anew, as it must when its window gets another size. */
  redraw(): Promise<void>
  /** Keeps what is to be seen, as evidence, if this run is to. */
  keep(name: string): Promise<void>
}

/** Why there is no terminal to be had on this machine. */
export const missingTerminal = (): string | undefined =>
  spawnSync('tmux', ['-V']).status === 0 ? undefined : 'there is no tmux'

/** @param blur what differs from run to run, and what is written into captures in its place */
export const openScreen = async (
  command: string,
  options: { cwd: string; env: Record<string, string>; blur?: [RegExp, string][] },
): Promise<Screen> => {
  const socket = `parley-${process.pid}-${++count}`
  const tmux = async (...args: string[]): Promise<string> => (await run('tmux', ['-L', socket, ...args])).stdout
  const env = Object.entries({ LANG: 'C.UTF-8', TERM: 'screen-256color', TZ: 'UTC', ...options.env })
  const given = env.flatMap(([name, value]) => ['-e', `${name}=${value}`])
  const size = ['-x', String(WIDTH), '-y', String(HEIGHT)]
  // When the program ends, its last words stay to be read.
  const line = `${command}; echo THE PROGRAM ENDED; sleep 3600`
  await run('tmux', ['-L', socket, '-f', '/dev/null', 'new-session', '-d', ...size, '-c', options.cwd, ...given, line])

  const text = () => tmux('capture-pane', '-p')
  let more = 0
  const becomes = async (wanted: (text: string) => boolean, what: string): Promise<string> => {
    for (const deadline = Date.now() + PATIENCE_MS; ; await pause(100)) {
      const seen = await text()
      if (wanted(seen)) return seen
      if (Date.now() > deadline) throw new Error(`waited in vain for ${what} on this screen:\n${seen}`)
    }
  }
  const has = (seen: string, what: string | RegExp) =>
    typeof what === 'string' ? seen.includes(what) : what.test(seen)
  const blurred = (seen: string) =>
    (options.blur ?? []).reduce((result, [pattern, instead]) => result.replace(pattern, instead), seen)

  return {
    async keys(...names) {
      for (const name of names) {
        await tmux('send-keys', name)
        await pause(name === 'Escape' ? AFTER_ESCAPE_MS : BETWEEN_KEYS_MS)
      }
    },
    async type(words) {
      await tmux('send-keys', '-l', words)
      await pause(BETWEEN_KEYS_MS)
    },
    text,
    becomes,
    shows: (what) => becomes((seen) => has(seen, what), String(what)),
    async redraw() {
      more = (more + 1) % MOST_LINES_MORE
      await tmux('resize-window', '-x', String(WIDTH), '-y', String(HEIGHT + more))
      await pause(AFTER_ESCAPE_MS)
    },
    hides: (what) => becomes((seen) => !has(seen, what), `the end of ${what}`),
    async keep(name) {
      if (process.env.CAPTURES !== 'write') return
      mkdirSync(folder, { recursive: true })
      const lines = blurred(await text()).split('\n')
      writeFileSync(
        join(folder, `${name}.txt`),
        `${lines
          .map((one) => one.trimEnd())
          .join('\n')
          .trimEnd()}\n`,
      )
    },
    async [Symbol.asyncDispose]() {
      await tmux('kill-server').catch(() => {})
    },
  }
}
