/**
 * Counts in sliding windows (domain/limits/sliding-window.ts), in Redis for all replicas.
 *
 * 1. Redis counts, on its own clock: no window ever has more grants than its limit, whichever replicas asked for them.
 * 2. All requests of one iteration of the event loop are one command, and a process sends one command at a time. In a
 *    Redis Cluster, that is so for each tag of keys.
 * 3. While Redis is unreachable, each replica counts by itself, and no call waits for Redis. In a cluster, that is so
 *    for the tags whose node is unreachable. It goes on from what Redis granted to it: a caller gains nothing from a
 *    Redis that is slow for a moment.
 */
import {
  addGrant,
  type GrantResult,
  grant,
  returnGrant,
  SLOTS,
  type SlotCounts,
  type WindowLimit,
} from '../../domain/limits/sliding-window.js'
import { openScript, type Script } from '../log/bus.js'

/** A request for grants from some windows, or the return of grants. */
export interface CountRequest {
  /** Their keys begin with one tag, `{…}`: in a cluster they are in one slot. */
  windows: readonly (WindowLimit & { key: string })[]
  /** the number of grants; negative: grants to return. It can be raised until the command is sent. */
  want: number
  /** the smallest number that is useful; for a return of grants: the time of the grant */
  least: number
}

export interface RateCounter {
  count(question: CountRequest): Promise<GrantResult>
  /** Empties the windows of these keys, which begin with one tag. */
  resetKeys(keys: readonly string[]): Promise<void>
  /** Resolves after all requests are answered. */
  close(): Promise<void>
}

interface PendingRequest extends CountRequest {
  resolve(granted: GrantResult): void
}

/** The keys with one tag. */
interface KeyGroup {
  queued: PendingRequest[]
  flushing: Promise<void> | undefined
  isUnreachable: boolean
  localCounts: Map<string, SlotCounts>
}

/** If Redis takes longer, it counts as unreachable. */
const REDIS_TIMEOUT_MS = 500
const MAX_LOCAL_KEYS = 100_000

/**
 * Opens the counter of a process.
 * @param report is called with the error when the process starts to count by itself
 */
export const openRateCounter = (redis_url: string, report: (error: unknown) => void): RateCounter => {
  const redis = openScript(redis_url, grantScript, REDIS_TIMEOUT_MS)
  const groups = new Map<string, KeyGroup>()
  const groupOf = (key = ''): KeyGroup => {
    const tag = key.slice(0, key.indexOf('}'))
    const known = groups.get(tag)
    if (known !== undefined) return known
    const group = { queued: [], flushing: undefined, isUnreachable: false, localCounts: new Map() }
    groups.set(tag, group)
    return group
  }

  const flush = async (group: KeyGroup): Promise<void> => {
    // Requests of one iteration of the event loop are sent together (2).
    await new Promise((resolve) => setImmediate(resolve))
    while (group.queued.length > 0) {
      const requests = group.queued
      group.queued = []
      for (const [i, granted] of (await countAll(group, requests)).entries()) requests[i]?.resolve(granted)
    }
    group.flushing = undefined
  }

  const countAll = async (group: KeyGroup, requests: readonly PendingRequest[]): Promise<readonly GrantResult[]> => {
    const countEachLocally = () => requests.map((request) => countLocally(group, request))
    if (group.isUnreachable || !redis.isReady()) return countEachLocally()
    try {
      const results = await countInRedis(redis, requests)
      for (const [i, result] of results.entries()) recordResult(group, requests[i], result)
      return results
    } catch (error) {
      report(error)
      group.isUnreachable = true
      pollUntilReachable(group, requests[0]?.windows[0]?.key ?? '')
      return countEachLocally()
    }
  }

  const findLocalCounts = ({ localCounts }: KeyGroup, windows: CountRequest['windows']) => {
    if (localCounts.size > MAX_LOCAL_KEYS) localCounts.clear()
    return windows.map((window) => {
      const counts = localCounts.get(window.key) ?? new Map<number, number>()
      localCounts.set(window.key, counts)
      return { ...window, counts }
    })
  }

  const recordResult = (group: KeyGroup, request: CountRequest | undefined, { granted, at }: GrantResult) => {
    if (request === undefined) return
    const { windows, want, least } = request
    if (want < 0) returnGrant(findLocalCounts(group, windows), -want, least)
    else if (granted > 0) addGrant(findLocalCounts(group, windows), granted, at)
  }

  const countLocally = (group: KeyGroup, { windows, want, least }: CountRequest): GrantResult => {
    const counted = findLocalCounts(group, windows)
    if (want >= 0) return grant(counted, want, least, Date.now())
    returnGrant(counted, -want, least)
    return { granted: 0, remaining: 0, wait: 0, full: 0, at: 0 }
  }

  const pollUntilReachable = (group: KeyGroup, key: string) => {
    setTimeout(() => {
      redis.ping(key).then(
        () => {
          group.isUnreachable = false
        },
        () => pollUntilReachable(group, key),
      )
    }, 1_000).unref()
  }

  return {
    count(question) {
      const group = groupOf(question.windows[0]?.key)
      const answer = new Promise<GrantResult>((resolve) => group.queued.push(Object.assign(question, { resolve })))
      group.flushing ??= flush(group)
      return answer
    },

    async resetKeys(keys) {
      const { localCounts, isUnreachable } = groupOf(keys[0])
      for (const key of keys) localCounts.delete(key)
      // If Redis does not delete the keys now, they expire with their windows.
      if (!isUnreachable && redis.isReady()) await redis.remove(keys).catch(() => {})
    },

    async close() {
      await Promise.all([...groups.values()].map(({ flushing }) => flushing))
      redis.close()
    },
  }
}

const countInRedis = async (redis: Script, requests: readonly CountRequest[]): Promise<GrantResult[]> => {
  const keys = requests.flatMap(({ windows }) => windows.map(({ key }) => key))
  const values = requests.flatMap(({ windows, want, least }) => [
    windows.length,
    want,
    least,
    ...windows.flatMap(({ slot_length, limit }) => [slot_length, limit]),
  ])
  const numbers = (await redis.run(keys, values)) as number[]
  return requests.map((_, i) => {
    const [granted = 0, remaining = 0, wait = 0, full = 0, at = 0] = numbers.slice(5 * i, 5 * i + 5)
    return { granted, remaining, wait, full, at }
  })
}

/**
 * The Lua script: `grant` of domain/limits/sliding-window.ts for many requests at once. Each window is a hash of counts
 * by slot. A request with a negative `want` returns grants; its `least` is the time of the grant.
 *
 * KEYS: the windows. ARGV, for each request: number of windows, want, least; then for each window: slot length, limit.
 * Returns for each request: granted, remaining, wait, full, at.
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
