/**
 * Allowances: what somebody may still do of something, across all replicas.
 *
 * 1. Redis counts, on its own clock, in sliding windows (domain/sliding-window.ts): no window ever holds more than its
 *    limit, whichever replicas granted it.
 * 2. A replica that counts a caller's calls takes for a second in advance what the caller's haste asks for: one for
 *    whoever calls now and then, twice as many each time they did not last, up to a twentieth of the limit. So a hot
 *    caller costs no trip per call. What is left over is given back; near the limit nothing is taken in advance.
 * 3. All that is asked in one turn of the event loop is one command, and one command is under way at a time.
 * 4. While Redis is away, each replica counts by itself, and nobody waits for it to come back.
 */
import { type RateName, type Rates, ratesIn } from '../domain/rates.js'
import { type Counts, type Granted, giveBack, SLOTS, slotLength, take, type Wanted } from '../domain/sliding-window.js'
import { openScript, type Script } from './bus.js'

/** What is left of an allowance, as callers are told. */
export interface Allowance {
  /** of the narrowest window */
  limit: number
  remaining: number
  /** UNIX seconds when the window is fully free */
  reset: number
  /** seconds to wait; present when this was one too many, and did not count */
  retry_after?: number
}

export interface Spent extends Allowance {
  /** Takes it back: it shall not count after all. */
  giveBack(): void
}

/** Where there are no limits, every answer is undefined. */
export interface Allowances {
  /** Counts one call. An answer without a promise cost no trip to Redis. */
  count(name: RateName, key: string): Allowance | undefined | Promise<Allowance | undefined>
  /** Takes `count` at once, or nothing. */
  spend(name: RateName, key: string, count?: number): Promise<Spent | undefined>
  /** Lets somebody begin anew. */
  forget(name: RateName, key: string): Promise<void>
  close(): Promise<void>
}

/** No limits. */
export const noAllowances: Allowances = {
  count: () => undefined,
  spend: async () => undefined,
  async forget() {},
  async close() {},
}

/** What a replica has in advance of one caller's allowance, or why it has nothing. */
interface Lease {
  /** milliseconds of this process's clock; afterwards what is left is given back */
  until: number
  left: number
  /** what it began with */
  size: number
  /** when it was granted, by the clock that counts */
  at: number
  /** what Redis has beyond it */
  beyond: number
  /** UNIX seconds */
  reset: number
  /** when it is worth asking again, by this process's clock; undefined: something was granted */
  retry_at: number | undefined
}

interface Ask {
  windows: readonly (Wanted & { key: string })[]
  /** less than nothing: to be given back */
  want: number
  /** of what is given back: when it was granted */
  least: number
  resolve(granted: Granted): void
}

const LEASE_MS = 1_000
/** The part of a limit that one replica may take in advance. */
const ADVANCE = 20
/** Redis that takes longer is away. */
const PATIENCE_MS = 500
const MOST_COUNTED_HERE = 100_000

/**
 * @param overrides rates other than the default ones (domain/rates.ts)
 * @param report hears why counting fell back to this process
 */
export const openAllowances = (redis_url: string, overrides: string, report: (error: unknown) => void): Allowances => {
  const rules = rulesOf(ratesIn(overrides))
  const redis = openScript(redis_url, takeInRedis, PATIENCE_MS)
  const leases = new Map<string, Lease>()
  const renewals = new Map<string, { ask: Ask; done: Promise<void> }>()
  const ask = asker(redis, report)

  const fromLease = (name: RateName, id: string): Allowance | undefined => {
    const lease = leases.get(id)
    if (lease === undefined) return undefined
    const { limit } = rules[name]
    const now = Date.now()
    if (now >= lease.until) return undefined
    if (lease.left > 0) {
      lease.left -= 1
      return { limit, remaining: lease.beyond + lease.left, reset: lease.reset }
    }
    const { retry_at, reset } = lease
    return retry_at === undefined ? undefined : { limit, remaining: 0, reset, retry_after: secondsOf(retry_at - now) }
  }

  const renew = async (name: RateName, id: string, key: string): Promise<Allowance> => {
    for (;;) {
      const before = renewals.get(id)
      if (before === undefined) renewals.set(id, renewal(name, id, key))
      else before.ask.want += 1
      await renewals.get(id)?.done
      const allowance = fromLease(name, id)
      if (allowance !== undefined) return allowance
    }
  }

  const renewal = (name: RateName, id: string, key: string) => {
    const { limit } = rules[name]
    const last = leases.get(id)
    if (last !== undefined) returnRest(id, name, key, last)
    const isHasty = last !== undefined && Date.now() < last.until
    const want = isHasty ? Math.min(2 * last.size, Math.max(1, Math.floor(limit / ADVANCE))) : 1
    const wish = { windows: windowsOf(rules, name, key), want, least: 1 }
    const [sent, answer] = ask(wish)
    const done = answer.then(({ granted, remaining, wait, full, at }) => {
      const now = Date.now()
      renewals.delete(id)
      leases.set(id, {
        // A refusal is asked for again as soon, because another replica may have given something back.
        until: now + (granted > 0 ? LEASE_MS : Math.min(wait, LEASE_MS)),
        left: granted,
        size: granted,
        at,
        beyond: remaining,
        reset: Math.ceil((now + full) / 1_000),
        retry_at: granted > 0 ? undefined : now + wait,
      })
    })
    return { ask: sent, done }
  }

  const returnRest = (id: string, name: RateName, key: string, { left, at }: Lease) => {
    leases.delete(id)
    if (left > 0) ask({ windows: windowsOf(rules, name, key), want: -left, least: at })
  }

  const sweep = (all: boolean) => {
    const now = Date.now()
    for (const [id, lease] of leases) {
      if (!all && now < lease.until) continue
      const name = id.slice(0, id.indexOf(':')) as RateName
      returnRest(id, name, id.slice(name.length + 1), lease)
    }
  }
  const sweeping = setInterval(() => sweep(false), LEASE_MS)
  sweeping.unref()

  return {
    count(name, key) {
      const id = `${name}:${key}`
      return fromLease(name, id) ?? renew(name, id, key)
    },

    async spend(name, key, count = 1) {
      const { limit } = rules[name]
      const [, answer] = ask({ windows: windowsOf(rules, name, key), want: count, least: count })
      const { granted, remaining, wait, full, at } = await answer
      const reset = Math.ceil((Date.now() + full) / 1_000)
      return {
        limit,
        remaining,
        reset,
        ...(granted === 0 ? { retry_after: secondsOf(wait) } : {}),
        giveBack() {
          if (granted > 0) ask({ windows: windowsOf(rules, name, key), want: -granted, least: at })
        },
      }
    },

    async forget(name, key) {
      const keys = windowsOf(rules, name, key).map((window) => window.key)
      await ask.forget(keys)
    },

    async close() {
      clearInterval(sweeping)
      sweep(true)
      await ask.idle()
      redis.close()
    },
  }
}

interface ReadyRule {
  limit: number
  windows: readonly (Wanted & { suffix: string })[]
}

const rulesOf = (rates: Rates) =>
  Object.fromEntries(
    Object.entries(rates).map(([name, rule]): [string, ReadyRule] => [
      name,
      {
        limit: Math.min(...rule.map(({ requests }) => requests)),
        windows: rule.map((window) => ({
          slot_length: slotLength(window),
          limit: window.requests,
          suffix: `:${window.seconds}`,
        })),
      },
    ]),
  ) as Record<RateName, ReadyRule>

/** The braces keep all of them in one place of a Redis cluster, because one command asks after many. */
const windowsOf = (rules: Record<RateName, ReadyRule>, name: RateName, key: string): Ask['windows'] =>
  rules[name].windows.map((window) => ({ ...window, key: `{parley:rate}:${name}:${key}${window.suffix}` }))

const secondsOf = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds)) / 1_000

/** Asks Redis, all questions of one moment at once (3), and counts here while it is away (4). */
const asker = (redis: Script, report: (error: unknown) => void) => {
  let waiting: Ask[] = []
  let underWay: Promise<void> | undefined
  let isAway = false
  const here = new Map<string, Counts>()

  const flush = async (): Promise<void> => {
    // What comes in within one turn of the event loop goes together.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const asks = waiting
      waiting = []
      for (const [i, granted] of (await answers(asks)).entries()) asks[i]?.resolve(granted)
    }
    underWay = undefined
  }

  const answers = async (asks: readonly Ask[]): Promise<readonly Granted[]> => {
    if (isAway || !redis.isReady()) return asks.map(countHere)
    try {
      const told = await run(redis, asks)
      here.clear()
      return told
    } catch (error) {
      report(error)
      isAway = true
      waitForReturn()
      return asks.map(countHere)
    }
  }

  const countHere = ({ windows, want, least }: Ask): Granted => {
    if (here.size > MOST_COUNTED_HERE) here.clear()
    const counted = windows.map((window) => {
      const counts = here.get(window.key) ?? new Map<number, number>()
      here.set(window.key, counts)
      return { ...window, counts }
    })
    if (want >= 0) return take(counted, want, least, Date.now())
    giveBack(counted, -want, least)
    return { granted: 0, remaining: 0, wait: 0, full: 0, at: 0 }
  }

  const waitForReturn = () => {
    setTimeout(() => {
      redis.ping().then(() => {
        isAway = false
      }, waitForReturn)
    }, 1_000).unref()
  }

  const ask = (wish: Omit<Ask, 'resolve'>): [Ask, Promise<Granted>] => {
    const question = wish as Ask
    const answer = new Promise<Granted>((resolve) => {
      question.resolve = resolve
    })
    waiting.push(question)
    underWay ??= flush()
    return [question, answer]
  }

  const forget = async (keys: readonly string[]) => {
    for (const key of keys) here.delete(key)
    // What Redis does not forget today, it forgets when the window is over.
    if (!isAway && redis.isReady()) await redis.remove(keys).catch(() => {})
  }

  return Object.assign(ask, { forget, idle: async () => underWay })
}

const run = async (redis: Script, asks: readonly Ask[]): Promise<Granted[]> => {
  const keys = asks.flatMap(({ windows }) => windows.map(({ key }) => key))
  const values = asks.flatMap(({ windows, want, least }) => [
    windows.length,
    want,
    least,
    ...windows.flatMap(({ slot_length, limit }) => [slot_length, limit]),
  ])
  const numbers = (await redis.run(keys, values)) as number[]
  return asks.map((_, i) => {
    const [granted = 0, remaining = 0, wait = 0, full = 0, at = 0] = numbers.slice(5 * i, 5 * i + 5)
    return { granted, remaining, wait, full, at }
  })
}

/**
 * `take` of domain/sliding-window.ts for many at once, each window a hash of counts by slot. A wish of less than
 * nothing gives back what was granted at the time that stands where the least would, if that still counts.
 *
 * KEYS the windows; ARGV for each wish: windows, want, least, and for each of them: slot length, limit.
 * Returns for each wish: granted, remaining, wait, full, at.
 */
const takeInRedis = `
local SLOTS = ${SLOTS}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answers = {}
local k, a = 0, 1
while a <= #ARGV do
  local windows, want, least = tonumber(ARGV[a]), tonumber(ARGV[a + 1]), tonumber(ARGV[a + 2])
  local granted, remaining, wait, full = want, nil, 0, 0
  a = a + 3
  if want < 0 then
    for w = 1, windows do
      local slot = math.floor(least / tonumber(ARGV[a + 2 * w - 2]))
      if redis.call('HEXISTS', KEYS[k + w], slot) == 1 then redis.call('HINCRBY', KEYS[k + w], slot, want) end
    end
    granted, remaining = 0, 0
  else
    for w = 1, windows do
      local key, length, limit = KEYS[k + w], tonumber(ARGV[a + 2 * w - 2]), tonumber(ARGV[a + 2 * w - 1])
      local slot = math.floor(now / length)
      local used, oldest, newest = 0, nil, nil
      local counts = redis.call('HGETALL', key)
      for i = 1, #counts, 2 do
        local at, count = tonumber(counts[i]), tonumber(counts[i + 1])
        if at < slot - SLOTS then
          redis.call('HDEL', key, counts[i])
        elseif count > 0 then
          used = used + count
          if oldest == nil or at < oldest then oldest = at end
          if newest == nil or at > newest then newest = at end
        end
      end
      local free = limit - used
      granted = math.min(granted, free, math.max(least, math.floor(free / 4)))
      if remaining == nil or free < remaining then remaining = free end
      if free < least then wait = math.max(wait, ((oldest or slot) + SLOTS + 1) * length - now) end
      if newest ~= nil then full = math.max(full, (newest + SLOTS + 1) * length - now) end
    end
    if granted < least then granted = 0 end
    for w = 1, windows do
      local key, length = KEYS[k + w], tonumber(ARGV[a + 2 * w - 2])
      local slot = math.floor(now / length)
      if granted > 0 then
        redis.call('HINCRBY', key, slot, granted)
        redis.call('PEXPIRE', key, (SLOTS + 2) * length)
        full = math.max(full, (slot + SLOTS + 1) * length - now)
      end
    end
  end
  for _, number in ipairs({granted, math.max(0, remaining - granted), wait, full, now}) do
    answers[#answers + 1] = number
  end
  k = k + windows
  a = a + 2 * windows
end
return answers`
