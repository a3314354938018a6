/**
 * Thousands of WebSockets in one process that only counts.
 *
 * 1. Sockets stand in groups, one group per server. Every delivery is one text frame, credited to its socket.
 * 2. Event ids must rise on every socket: then a right count means that each event came exactly once.
 */
import { now } from '../measure.js'
import { serve } from '../part.js'
import { eventIdAt, frameReader, textFrame } from './frames.js'
import { type Door, openWebSocket, type WebSocket } from './websocket.js'

interface Group {
  sockets: WebSocket[]
  frames: Uint32Array
  lastIds: Float64Array
  /** whether ids are looked at: a server that repeats one frame has none to look at */
  ordered: boolean
  total: number
  disorder: number
  /** the first frame of the first socket */
  sample: string
  /** when the number of frames reached each multiple of the number of sockets */
  rounds: number[]
  waiting: { total: number; resolve(): void } | undefined
}

interface Opening {
  group: string
  port: number
  host: string
  ordered: boolean
  doors: Door[]
  /** what a client says first */
  hello?: string
}

const groups = new Map<string, Group>()

const found = (name: string): Group => {
  const group = groups.get(name)
  if (group === undefined) throw new Error(`no sockets ${name}`)
  return group
}

/** The id of an event is the first thing in its JSON. */
const ID_WITHIN = 32

const counter = (group: Group, i: number) =>
  frameReader(
    (bytes, start, end) => {
      if (group.ordered) {
        const id = eventIdAt(bytes, start)
        if (id <= (group.lastIds[i] ?? 0)) group.disorder += 1
        group.lastIds[i] = id
      }
      group.frames[i] = (group.frames[i] ?? 0) + 1
      group.total += 1
      if (group.total % group.frames.length === 0) group.rounds.push(now())
      if (group.waiting !== undefined && group.total >= group.waiting.total) group.waiting.resolve()
      if (i === 0 && group.sample === '') group.sample = bytes.toString('utf8', start, end)
      // One frame is read in whole, to know what the server sends; of the others an id will do.
    },
    i === 0 ? undefined : ID_WITHIN,
  )

const jobs = {
  /** Opens a socket per door, some at a time. */
  async open({ group: name, port, host, ordered, doors, hello }: Opening): Promise<void> {
    const count = doors.length
    const group: Group = {
      sockets: [],
      frames: new Uint32Array(count),
      lastIds: new Float64Array(count),
      ordered,
      total: 0,
      disorder: 0,
      sample: '',
      rounds: [],
      waiting: undefined,
    }
    groups.set(name, group)
    const next = doors.entries()
    const opener = async () => {
      for (const [i, door] of next) {
        const socket = await openWebSocket({ port, host, door }, counter(group, i))
        if (hello !== undefined) socket.write(textFrame(hello))
        group.sockets[i] = socket
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, opener))
  },

  /** Forgets what was counted. */
  reset({ group }: { group: string }): void {
    const one = found(group)
    one.frames.fill(0)
    Object.assign(one, { total: 0, disorder: 0, sample: '', rounds: [] })
  },

  /** Waits until there are `each` frames per socket, or `within_ms` are over. Says who has another number. */
  async counted({ group, each, within_ms }: { group: string; each: number; within_ms: number }) {
    const one = found(group)
    const total = each * one.frames.length
    if (one.total < total) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, within_ms)
        const done = () => {
          clearTimeout(timer)
          resolve()
        }
        one.waiting = { total, resolve: done }
      })
      one.waiting = undefined
    }
    const { disorder, sample, rounds } = one
    return { total: one.total, wrong: one.frames.filter((frames) => frames !== each).length, disorder, sample, rounds }
  },

  close({ group }: { group: string }): void {
    for (const socket of found(group).sockets) socket.close()
    groups.delete(group)
  },
}

/** Fewer than a listening socket's queue holds. */
const AT_ONCE = 100

export type SocketJobs = typeof jobs
serve(jobs)
