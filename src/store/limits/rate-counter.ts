/**
 * Counting in sliding windows (domain/limits/sliding-window.ts), for all replicas in one place.
 *
 * 1. Redis counts, on its own clock: no window ever holds more than its limit, whichever replicas granted it.
 * 2. All that is asked in one turn of the event loop is one command, and one command is under way at a time.
 * 3. While Redis is away, each replica counts by itself, and nobody waits for it to come back.
 */
import {
  type GrantResult,
  grant,
  returnGrant,
  SLOTS,
  type SlotCounts,
  type WindowLimit,
} from '../../domain/limits/sliding-window.js'
import { openScript, type Script } from '../log/bus.js'

/** What somebody wants of some windows. */
export interface CountRequest {
  windows: readonly (WindowLimit & { key: string })[]
  /** less than nothing: to be given back; it may be raised until it is sent */
  want: number
  /** of what is given back: when it was granted */
  least: number
}

export interface RateCounter {
  ask(question: CountRequest): Promise<GrantResult>
  /** Lets the windows of these keys begin anew. */
  forget(keys: readonly string[]): Promise<void>
  /** Resolves when what is under way is answered. */
  close(): Promise<void>
}

interface PendingRequest extends CountRequest {
  resolve(granted: GrantResult): void
}

/** Redis that takes longer is away. */
const REDIS_TIMEOUT_MS = 500
const MAX_LOCAL_KEYS = 100_000

/** @param report hears why counting fell back to this process */
export const openRateCounter = (redis_url: string, report: (error: unknown) => void): RateCounter => {
  const redis = openScript(redis_url, grantScript, REDIS_TIMEOUT_MS)
  let waiting: PendingRequest[] = []
  let underWay: Promise<void> | undefined
  let isAway = false
  const localCounts = new Map<string, SlotCounts>()

  const flush = async (): Promise<void> => {
    // What comes in within one turn of the event loop goes together.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const asks = waiting
      waiting = []
      for (const [i, granted] of (await countAll(asks)).entries()) asks[i]?.resolve(granted)
    }
    underWay = undefined
  }

  const countAll = async (asks: readonly PendingRequest[]): Promise<readonly GrantResult[]> => {
    if (isAway || !redis.isReady()) return asks.map(countLocally)
    try {
      const told = await countInRedis(redis, asks)
      localCounts.clear()
      return told
    } catch (error) {
      report(error)
      isAway = true
      pollUntilReachable()
      return asks.map(countLocally)
    }
  }

  const countLocally = ({ windows, want, least }: CountRequest): GrantResult => {
    if (localCounts.size > MAX_LOCAL_KEYS) localCounts.clear()
    const counted = windows.map((window) => {
      const counts = localCounts.get(window.key) ?? new Map<number, number>()
      localCounts.set(window.key, counts)
      return { ...window, counts }
    })
    if (want >= 0) return grant(counted, want, least, Date.now())
    returnGrant(counted, -want, least)
    return { granted: 0, remaining: 0, wait: 0, full: 0, at: 0 }
  }

  const pollUntilReachable = () => {
    setTimeout(() => {
      redis.ping().then(() => {
        isAway = false
      }, pollUntilReachable)
    }, 1_000).unref()
  }

  return {
    ask(question) {
      const answer = new Promise<GrantResult>((resolve) => waiting.push(Object.assign(question, { resolve })))
      underWay ??= flush()
      return answer
    },

    async forget(keys) {
      for (const key of keys) localCounts.delete(key)
      // What Redis does not forget today, it forgets when the window is over.
      if (!isAway && redis.isReady()) await redis.remove(keys).catch(() => {})
    },

    async close() {
      await underWay
      redis.close()
    },
  }
}

const countInRedis = async (redis: Script, asks: readonly CountRequest[]): Promise<GrantResult[]> => {
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
 * `take` of domain/limits/sliding-window.ts for many at once, each window a hash of counts by slot. A wish of less than
 * nothing gives back what was granted at the time that stands where the least would, if that still counts.
 *
 * KEYS the windows; ARGV for each wish: windows, want, least, and for each of them: slot length, limit.
 * Returns for each wish: granted, remaining, wait, full, at.
 */
const grantScript = `
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
