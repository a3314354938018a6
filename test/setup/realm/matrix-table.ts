/**
 * Tables of permissions, and the function that tries every cell over the API.
 *
 * A table is text. Its first line names the columns. Every other line names one or several callers (`owner,
 * administrator`) and has one word per column: `yes`, or the short name of a refusal. The results are formatted in the
 * same way, so a wrong cell appears as a difference between two tables.
 */
import { expect } from 'vitest'
import type { Answer } from './realm.js'

/**
 * The refusal that a word stands for: `400 BAD_REQUEST: There is no channel with this ID, or you may not see it.`.
 * `…` in it is any text.
 */
export type Vocabulary = Record<string, string>

export interface Table {
  columns: string[]
  /** by caller */
  rows: Map<string, string[]>
}

/** Refusals that many tables name with the same word. */
export const refusals = {
  guest: '400 BAD_REQUEST: Guests may not do this.',
  bot: '400 BAD_REQUEST: Bots may not do this.',
  webhook: '401 UNAUTHORIZED: Incoming webhook bots may only send messages.',
  inactive: '401 UNAUTHORIZED: This account is deactivated: ask an administrator of the organization.',
  login: '401 UNAUTHORIZED: Log in first: send the email and API key of an account as HTTP basic authentication.',
  denied: '400 BAD_REQUEST: Insufficient permission: ask an administrator of the organization.',
  admin: '400 UNAUTHORIZED_PRINCIPAL: Only administrators of the organization may do this.',
  owner: '400 UNAUTHORIZED_PRINCIPAL: Only owners of the organization may do this.',
} as const satisfies Vocabulary

/** Reads a table. Columns are words; a caller may have several. Callers without a line get the one in `others`. */
export const tableOf = (text: string, others: Readonly<Record<string, string>> = {}): Table => {
  const [head, ...lines] = text
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
  const columns = (head ?? '').split(/\s+/)
  const rows = new Map<string, string[]>()
  for (const line of lines) {
    const words = line.split(/\s+/)
    const cells = words.splice(words.length - columns.length)
    for (const caller of words.join(' ').split(/\s*,\s*/)) {
      if (rows.has(caller)) throw new Error(`two lines for ${caller}`)
      rows.set(caller, cells)
    }
  }
  for (const [caller, word] of Object.entries(others)) {
    if (!rows.has(caller))
      rows.set(
        caller,
        columns.map(() => word),
      )
  }
  return { columns, rows }
}

/** Formats a refusal as in a vocabulary. */
export const refusalOf = ({ status, body }: Answer): string => `${status} ${body.code}: ${body.msg}`

/** The word for a refusal, or the whole refusal if no word stands for it. */
export const wordOf = (answer: Answer, vocabulary: Vocabulary): string => {
  const said = refusalOf(answer)
  const exactly = (pattern: string) => pattern.split('…').map(escaped).join('.*')
  const fits = (pattern: string) => new RegExp(`^${exactly(pattern)}$`, 's').test(said)
  return Object.entries(vocabulary).find(([, pattern]) => fits(pattern))?.[0] ?? `[${said}]`
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Runs `work` for each item, `atOnce` at a time. Structural changes of one realm run one after the other anyway. */
export const forEach = async <T>(all: readonly T[], work: (one: T) => Promise<void>, atOnce = 24): Promise<void> => {
  const left = [...all]
  const worker = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** Tries all cells and compares the results with the table. @returns the number of cells */
export const walk = async (
  table: Table,
  word: (caller: string, column: string) => Promise<string>,
  atOnce?: number,
): Promise<number> => {
  const cells = [...table.rows.keys()].flatMap((caller) => table.columns.map((column, i) => ({ caller, column, i })))
  const found = new Map([...table.rows.keys()].map((caller) => [caller, table.columns.map(() => '')]))
  await forEach(
    cells,
    async ({ caller, column, i }) => {
      const row = found.get(caller) as string[]
      row[i] = await word(caller, column).catch((error: unknown) => `[${error}]`)
    },
    atOnce,
  )
  expect(written({ columns: table.columns, rows: found })).toBe(written(table))
  return cells.length
}

/** Formats a table as text, with one line per caller. */
const written = ({ columns, rows }: Table): string => {
  const widest = Math.max(...[...rows.keys()].map((caller) => caller.length))
  const line = (caller: string, cells: readonly string[]) =>
    [caller.padEnd(widest), ...cells.map((cell) => cell.padEnd(10))].join('  ').trimEnd()
  return [line('', columns), ...[...rows].map(([caller, cells]) => line(caller, cells))].join('\n')
}
