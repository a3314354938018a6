/**
 * The slots of one class of jobs in this process.
 *
 * 1. At most `slots` jobs of the class run at a time, and at most `slots_per_realm` of one realm.
 * 2. A job without a free slot is not started and not kept: its row in Postgres waits, and not a call in the fair queue
 *    that counts the slots. Its realm is noted, and when a slot becomes free, the realm's next due jobs are read from
 *    Postgres. So a realm with many jobs occupies no memory, and no consumer of the queue.
 * 3. Noted realms get free slots in turn.
 */
import { createFairQueue } from '../../store/fairness/fair-queue.js'
import type { JobClass } from '../../store/jobs/job-classes.js'
import type { QueuedJob } from '../../store/jobs/job-table.js'

/** A job, or what else runs in slots. */
export interface SlotJob<Id = QueuedJob['id']> {
  id: Id
  realm_id: number
}

export interface Slots<Id = QueuedJob['id']> {
  /** Runs the job if it gets a slot. Resolves when it has ended, or at once when it does not run now. */
  start(job: SlotJob<Id>): Promise<void>
  /** Notes that a realm has due jobs, and starts them when slots are free. */
  wake(realm_id: number): void
  /** Starts nothing more. Resolves when the running jobs have ended. */
  close(): Promise<void>
}

export interface SlotsOptions<Id = QueuedJob['id']> extends Pick<JobClass, 'slots' | 'slots_per_realm'> {
  /** Runs a job, and does nothing if the job is not due any more. Never rejects. */
  run(id: Id): Promise<void>
  /** Reads the next due jobs of a realm. */
  findDue(realm_id: number, limit: number): Promise<readonly SlotJob<Id>[]>
}

/** Opens the slots of a class, all of them free. */
export const openSlots = <Id = QueuedJob['id']>({
  slots,
  slots_per_realm,
  run,
  findDue,
}: SlotsOptions<Id>): Slots<Id> => {
  const queue = createFairQueue({ slots, perOwner: slots_per_realm })
  /** by the id of the job */
  const running = new Map<Id, Promise<void>>()
  /** the noted realms, in the order of their turns */
  const noted = new Set<number>()
  let isRefilling = false
  let isClosed = false

  const start = ({ id, realm_id }: SlotJob<Id>): Promise<void> => {
    const sameJob = running.get(id)
    if (sameJob !== undefined) return sameJob
    if (isClosed) return Promise.resolve()
    if (queue.countFree(realm_id) <= 0) {
      noted.add(realm_id)
      return Promise.resolve()
    }
    const work = queue.run(realm_id, () => run(id))
    const ended = work.then(() => {
      running.delete(id)
      void refill()
    })
    running.set(id, ended)
    return ended
  }

  const findNextRealm = (): number | undefined => {
    if (isClosed || running.size >= slots) return undefined
    for (const realm_id of noted) if (queue.countFree(realm_id) > 0) return realm_id
    return undefined
  }

  /** Gives the free slots to the noted realms (3). */
  const refill = async (): Promise<void> => {
    if (isRefilling) return
    isRefilling = true
    try {
      for (let realm_id = findNextRealm(); realm_id !== undefined; realm_id = findNextRealm()) {
        noted.delete(realm_id)
        const limit = queue.countFree(realm_id)
        const due = await findDue(realm_id, limit)
        for (const job of due) void start(job)
        // There may be more of them.
        if (due.length === limit) noted.add(realm_id)
      }
    } catch {
      // Postgres is away. The sweeper notes the realm again.
    } finally {
      isRefilling = false
    }
  }

  return {
    start,
    wake(realm_id) {
      noted.add(realm_id)
      void refill()
    },
    async close() {
      isClosed = true
      await Promise.all(running.values())
    },
  }
}
