/**
 * A program in a tmux terminal of 140 columns and 44 lines: tests press keys and read the screen as text.
 *
 * Tests wait for text on the screen. With CAPTURES=write, `keep` writes the screen to captures/.
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pause } from './pause.js'

const WIDTH = 140
const HEIGHT = 44
/** `redraw` adds one line each time, up to this number, so that the size changes every time. */
const MOST_LINES_MORE = 20
const BETWEEN_KEYS_MS = 120
/** Programs read an escape and a key directly after it as one key. */
const AFTER_ESCAPE_MS = 400
const PATIENCE_MS = 20_000
/**
 * A text that is missing for so long is looked for on a redrawn screen. zulip-terminal receives events in one thread
 * and draws in another: about once in several hundred events it never draws what it received.
 */
const REDRAW_AFTER_MS = 5_000

const folder = join(import.meta.dirname, 'captures')
const run = promisify(execFile)
let count = 0

export interface Screen extends AsyncDisposable {
  /** Presses keys by their tmux names: `Enter`, `Escape`, `C-d`, `j`. */
  keys(...names: string[]): Promise<void>
  /** Types a text literally. */
  type(text: string): Promise<void>
  /** The text on the screen. */
  text(): Promise<string>
  /** Waits until the screen shows this. @returns the text on the screen */
  shows(what: string | RegExp): Promise<string>
  /** Waits until the screen no longer shows this. */
  hides(what: string | RegExp): Promise<string>
  /** Waits until a condition holds. @param what its description for the error */
  becomes(wanted: (text: string) => boolean, what: string): Promise<string>
  /** Makes the program redraw everything, by changing the size of its window. */
  redraw(): Promise<void>
  /** Writes the screen to captures/ if CAPTURES=write. */
  keep(name: string): Promise<void>
}

/** Why this machine has no terminal; undefined if it has one. */
export const missingTerminal = (): string | undefined =>
  spawnSync('tmux', ['-V']).status === 0 ? undefined : 'tmux is not installed'

/** @param blur text that differs between runs, and its replacement in captures */
export const openScreen = async (
  command: string,
  options: { cwd: string; env: Record<string, string>; blur?: [RegExp, string][] },
): Promise<Screen> => {
  const socket = `parley-${process.pid}-${++count}`
  const tmux = async (...args: string[]): Promise<string> => (await run('tmux', ['-L', socket, ...args])).stdout
  const env = Object.entries({ LANG: 'C.UTF-8', TERM: 'screen-256color', TZ: 'UTC', ...options.env })
  const given = env.flatMap(([name, value]) => ['-e', `${name}=${value}`])
  const size = ['-x', String(WIDTH), '-y', String(HEIGHT)]
  // The terminal stays open after the program ends, so that tests can read its output.
  const line = `${command}; echo THE PROGRAM ENDED; sleep 3600`
  await run('tmux', ['-L', socket, '-f', '/dev/null', 'new-session', '-d', ...size, '-c', options.cwd, ...given, line])

  const text = () => tmux('capture-pane', '-p')
  let more = 0
  const redraw = async (): Promise<void> => {
    more = (more + 1) % MOST_LINES_MORE
    await tmux('resize-window', '-x', String(WIDTH), '-y', String(HEIGHT + more))
    await pause(AFTER_ESCAPE_MS)
  }
  const becomes = async (wanted: (text: string) => boolean, what: string): Promise<string> => {
    const deadline = Date.now() + PATIENCE_MS
    for (let redrawn = Date.now(); ; await pause(100)) {
      const seen = await text()
      if (wanted(seen)) return seen
      if (Date.now() - redrawn > REDRAW_AFTER_MS) {
        await redraw()
        redrawn = Date.now()
      }
      if (Date.now() > deadline) throw new Error(`timed out waiting for ${what} on this screen:\n${seen}`)
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
    redraw,
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
