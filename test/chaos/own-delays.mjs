/**
 * Loaded into a gateway before its program when DELAY_LOG is set: appends to that file every second how late the event
 * loop was at most, in milliseconds, and how late without the time that its thread waited for a CPU.
 *
 * A machine that runs the gateways and all of their clients has fewer CPUs than they need at some moments. What remains
 * without the wait is what the tasks of the gateway cost: nothing but shorter tasks would lower it.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'

const TICK_MS = 10
/** Milliseconds that the main thread waited for a CPU while it could run. */
const readWaitedMs = () => Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6

let last = performance.now()
let waited = readWaitedMs()
let largest = { late: 0, own: 0 }
setInterval(() => {
  const now = performance.now()
  const waitedNow = readWaitedMs()
  const late = now - last - TICK_MS
  largest.late = Math.max(largest.late, late)
  largest.own = Math.max(largest.own, late - (waitedNow - waited))
  last = now
  waited = waitedNow
}, TICK_MS).unref()

setInterval(() => {
  const line = { at: Date.now(), pid: process.pid, late: Math.round(largest.late), own: Math.round(largest.own) }
  appendFileSync(process.env.DELAY_LOG, `${JSON.stringify(line)}\n`)
  largest = { late: 0, own: 0 }
}, 1_000).unref()
