/**
 * A small process that outlives whoever holds it, to clean up behind it.
 *
 * The holder writes one JSON line per process it starts (`watch`), per process that ended (`forget`) and per folder
 * to remove at the end (`remove`). When its standard input ends, the leash stops every watched process in order,
 * removes the folders and exits. So an orderly stop and a holder that was killed hard take the same road:
 *
 * 1. The leash has a session of its own: a Ctrl-C in the terminal or a signal to the holder's group misses it.
 * 2. A process is signalled only while it is the one that was watched (`birth`), never a later one with its pid.
 */
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { type Ours, stopInOrder } from './processes.js'

export type LeashLine = { watch: Ours } | { forget: number } | { remove: string }

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {})
// The holder's terminal may be gone by the time there is something to say.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const watched = new Map<number, Ours>()
const folders: string[] = []
for await (const text of createInterface({ input: process.stdin })) {
  const line = JSON.parse(text) as LeashLine
  if ('watch' in line) watched.set(line.watch.pid, line.watch)
  else if ('forget' in line) watched.delete(line.forget)
  else folders.push(line.remove)
}
await stopInOrder([...watched.values()], (line) => process.stdout.write(`${line}\n`))
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
