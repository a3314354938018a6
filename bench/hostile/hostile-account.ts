/** The process of the hostile account: it commits one abuse at a time. */
import { serveProcedures } from '../harness/child-process.js'
import type { Stop, Tally, Target } from './abuse.js'
import { abuses } from './abuses.js'

let stop: Stop = () => {}
let tally: Tally = {}

const procedures = {
  /** Begins an abuse. Resolves when it is under way. */
  async start({ name, target }: { name: string; target: Target }): Promise<void> {
    const abuse = abuses.find((one) => one.name === name)
    if (abuse === undefined) throw new Error(`there is no abuse ${name}`)
    const counted: Tally = {}
    tally = counted
    stop = await abuse.start(target, (what) => {
      counted[what] = (counted[what] ?? 0) + 1
    })
  },

  /** Ends it. @returns the answers that came */
  async stop(_: null): Promise<Tally> {
    await stop()
    return tally
  },
}

export type HostileAccountProcedures = typeof procedures
serveProcedures(procedures)
