/**
 * Permission matrices of channels. Rows are callers. Columns are kinds of channel (protocol/permissions.md 6), or other
 * cases that an action distinguishes. The cells of a kind have channels of that kind.
 *
 * An allowed cell must show its effect, and a refused cell must change nothing. Each action says how to read what it
 * changes, and the founder, who can read everything, reads it before and after.
 */
import { afterAll, beforeAll, test } from 'vitest'
import type { RealmState } from '../../../src/domain/log/state.js'
import { type Table, tableOf, type Vocabulary, walk, wordOf } from './matrix-table.js'
import {
  type Caller,
  type Channel,
  callers,
  hasSucceeded,
  type Kind,
  kinds,
  newPermissionWorld,
  others,
  outsiders,
  type PermissionWorld,
  subscribers,
} from './permission-world.js'
import { type Answer, call, ok, type Person } from './realm.js'

export interface Cell {
  world: PermissionWorld
  caller: Caller
  /** undefined for a spectator */
  person: Person | undefined
  /** a kind of channel, or a case of the action */
  column: string
  channel: Channel
  /** the id of the cell's message, if the action has messages */
  message: number
  topic: string
}

export interface Action {
  /** whether each cell has a channel of its own, because the action changes it */
  fresh?: boolean
  /** the sender of the cell's message, which is in a topic of its own */
  message?: (cell: Cell) => Person
  /** the content of that message */
  content?: string
  /** whether the founder is the only initial subscriber */
  alone?: boolean
  /** whether all accounts are initial subscribers */
  crowded?: boolean
  /** whether the table has lines for some callers only */
  only?: boolean
  /** prepares all cells, after their messages were sent and before the first action */
  prepare?(cells: readonly Cell[]): Promise<unknown>
  ask(cell: Cell): Promise<Answer>
  /** reads what the action changes, from the state or through the API */
  seen?(cell: Cell, state: RealmState): unknown
  /** for an action that reads: the word for its answer */
  shown?(answer: Answer, cell: Cell): string | Promise<string>
  table: string
}

/** Sends a request as the cell's caller. */
export const by = ({ person, world }: Cell, method: string, path: string, params: Record<string, unknown> = {}) =>
  call(person, method, path, params, { host: world.realm.host })

const isArchived = (column: string) => column.startsWith('arch')
const isKind = (column: string): column is Kind => Object.hasOwn(kinds, column)
/** The channel of a column that is not a kind. It does not exist. */
const noChannel: Channel = { id: 999_999, name: 'nowhere' }

/** Creates a permission world for a test file. @returns a function that declares one test per table */
export const channelMatrix = (vocabulary: Vocabulary) => {
  let world: PermissionWorld
  const shared = new Map<string, Channel>()
  let cells = 0
  beforeAll(async () => {
    world = await newPermissionWorld()
  })
  afterAll(async () => {
    console.log(`${cells} cells`)
    await world[Symbol.asyncDispose]()
  })

  const channelsFor = async (action: Action, table: Table, kind: string): Promise<Channel[]> => {
    if (!isKind(kind)) return Array.from(table.rows, () => noChannel)
    const crowd = [...(action.alone === true ? [] : subscribers), ...(action.crowded === true ? others : [])]
    if (action.fresh === true) return world.createChannels(kind, table.rows.size, crowd)
    if (!shared.has(kind)) shared.set(kind, (await world.createChannels(kind, 1, crowd))[0] as Channel)
    const channel = shared.get(kind) as Channel
    return Array.from({ length: table.rows.size }, () => channel)
  }

  const stage = async (action: Action, table: Table): Promise<Map<string, Cell>> => {
    const cells = new Map<string, Cell>()
    for (const column of table.columns) {
      const channels = await channelsFor(action, table, column)
      for (const [i, caller] of ([...table.rows.keys()] as Caller[]).entries()) {
        const person = world.people[caller as 'owner']
        const topic = `of ${caller}`
        cells.set(`${caller}/${column}`, {
          world,
          caller,
          person,
          column,
          channel: channels[i] as Channel,
          message: 0,
          topic,
        })
      }
    }
    const all = [...cells.values()]
    const { message } = action
    const toArchive = [...new Set(all.filter(({ column }) => isArchived(column)).map(({ channel }) => channel))]
    // A channel that an earlier table archived must be active to receive the messages of this one.
    if (toArchive.length > 0 && action.fresh !== true) await world.updateRows(toArchive, { is_archived: false })
    if (message !== undefined) await Promise.all(all.map((cell) => write(cell, message(cell), action.content)))
    await action.prepare?.(all)
    if (toArchive.length > 0) await world.archive(toArchive)
    return cells
  }

  return (name: string, action: Action) =>
    // It takes seconds on an idle machine. On a busy one, structural changes of many realms wait for each other.
    test(name, { timeout: 180_000 }, async () => {
      const table = tableOf(action.table, action.only === true ? {} : outsiders)
      const missing = callers.filter((caller) => !table.rows.has(caller))
      if (missing.length > 0 && action.only !== true) throw new Error(`no line for ${missing}`)
      const unknown = [...table.rows.keys()].filter((caller) => !callers.includes(caller as Caller))
      if (unknown.length > 0) throw new Error(`no caller has the name ${unknown}`)
      const stages = await stage(action, table)
      const look = async (cell: Cell) =>
        action.seen === undefined ? '' : JSON.stringify(await action.seen(cell, await world.loadState()))
      cells += await walk(table, async (caller, column) => {
        const cell = stages.get(`${caller}/${column}`) as Cell
        const before = await look(cell)
        const answer = await action.ask(cell)
        const after = await look(cell)
        if (!hasSucceeded(answer)) return wordOf(answer, vocabulary) + (before === after ? '' : '!changed')
        if (action.shown !== undefined) return await action.shown(answer, cell)
        return before === after ? 'nothing' : 'yes'
      })
    })
}

const write = async (cell: Cell, sender: Person, content = `a word for ${cell.caller}`): Promise<void> => {
  const params = { type: 'stream', to: cell.channel.id, topic: cell.topic, content }
  cell.message = (await ok(sender, 'POST', '/messages', params)).id
}

/** The channels of cells. */
export const channelsOf = (cells: readonly Cell[]): Channel[] => cells.map(({ channel }) => channel)

/** Reads the cell's message as the founder; null if it is deleted. */
export const messageSeen = async ({ world, message }: Cell): Promise<unknown> => {
  const { body } = await call(world.founder, 'GET', `/messages/${message}`, { apply_markdown: false })
  if (body.message === undefined) return null
  const { stream_id, subject, content, reactions, submessages } = body.message as Record<string, unknown>
  return { stream_id, subject, content, reactions, submessages }
}
