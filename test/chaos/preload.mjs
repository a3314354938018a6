/**
 * Loaded into a gateway or worker before its program: lets a test shift its clock, and fill its disk.
 *
 * On SIGUSR2 it reads the file CHAOS_CONTROL: `clock_ms` is added to the time of Date; while `is_disk_full` is true,
 * writes of files fail with ENOSPC. With ERROR_MS, it logs an error at this interval.
 */
import { readFileSync } from 'node:fs'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

let control = { clock_ms: 0, is_disk_full: false }
process.on('SIGUSR2', () => {
  control = JSON.parse(readFileSync(process.env.CHAOS_CONTROL, 'utf8'))
})

const RealDate = Date
globalThis.Date = class ShiftedDate extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + control.clock_ms)
    else super(...args)
  }

  static now() {
    return RealDate.now() + control.clock_ms
  }
}

for (const name of ['writeFile', 'copyFile', 'mkdir']) {
  const real = fs[name]
  fs[name] = async (...args) => {
    if (control.is_disk_full) {
      throw Object.assign(new Error(`ENOSPC: no space left on device, ${name}`), {
        code: 'ENOSPC',
        errno: -28,
        path: String(args[0]),
      })
    }
    return real(...args)
  }
}
syncBuiltinESMExports()

// The first stack trace is what a process with source maps pays for (administration/map-traces.ts).
if (process.env.ERROR_MS !== undefined) {
  setInterval(() => console.error(new Error('logged by the soak').stack), Number(process.env.ERROR_MS)).unref()
}

if (process.env.DELAY_LOG !== undefined) await import('./own-delays.mjs')
