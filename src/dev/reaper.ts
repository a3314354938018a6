/**
 * The reaper: a small process that outlives the process that started it, its owner, and stops the owner's processes.
 *
 * The owner writes one JSON line for each process it starts (`watch`), each process that ended (`forget`) and each
 * folder to remove at the end (`remove`). When its standard input ends, the reaper stops every watched process in
 * order, removes the folders and exits. Standard input ends when the owner closes it, and also when the owner is killed
 * with SIGKILL; so both cases run the same code.
 *
 * 1. The reaper has a session of its own: Ctrl-C in the terminal, or a signal to the owner's process group, does not
 *    reach it.
 * 2. It signals a process only if that is the process it watched (same `birth`), never a later one with the same pid.
 */
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { type ManagedProcess, stopInOrder } from './processes.js'

export type ReaperCommand = { watch: ManagedProcess } | { forget: number } | { remove: string }

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {})
// Writing fails when the owner's terminal is closed.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const watched = new Map<number, ManagedProcess>()
const folders: string[] = []
for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line) as ReaperCommand
  if ('watch' in command) watched.set(command.watch.pid, command.watch)
  else if ('forget' in command) watched.delete(command.forget)
  else folders.push(command.remove)
}
await stopInOrder([...watched.values()], (line) => process.stdout.write(`${line}\n`))
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
