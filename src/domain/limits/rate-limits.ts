/**
 * How often something may be done: so many times in any window of so many seconds.
 *
 * Source: errors.md section 8, events.md 1.5 (polls), endpoints.md 1.10 (invitations of a day). What is not of the
 * protocol (`uploads_by_user`, `authenticate_by_ip`) says why it is there.
 */

export interface RateWindow {
  seconds: number
  requests: number
}

/** All of its windows hold at once. */
export type RateLimit = readonly RateWindow[]

export const defaultRateLimits = {
  /** calls of an account */
  api_by_user: [{ seconds: 60, requests: 200 }],
  /** polls and handshakes of an account: a client that is told much must not be kept from acting */
  events_by_user: [{ seconds: 60, requests: 200 }],
  /** files of an account: each costs more than a call, so a deployment may want fewer */
  uploads_by_user: [{ seconds: 60, requests: 200 }],
  /** calls without credentials from an address */
  api_by_ip: [{ seconds: 60, requests: 100 }],
  /** wrong passwords for an account */
  authenticate_by_username: [{ seconds: 1_800, requests: 5 }],
  /** wrong passwords from an address, whichever accounts they were for: one guess for each of many */
  authenticate_by_ip: [{ seconds: 1_800, requests: 100 }],
  /** new addresses that an account asks for */
  email_change_by_user: [
    { seconds: 3_600, requests: 2 },
    { seconds: 86_400, requests: 5 },
  ],
  /** mails to an address with which somebody can choose another password */
  password_reset_form_by_email: [
    { seconds: 3_600, requests: 2 },
    { seconds: 86_400, requests: 5 },
  ],
  /** mails that callers without credentials bring about from an address */
  sends_email_by_ip: [{ seconds: 86_400, requests: 5 }],
  /** people whom an organization invites by mail */
  invitations_by_realm: [{ seconds: 86_400, requests: 500 }],
  /** how often a file is sent to callers without credentials */
  spectator_attachment_access_by_file: [{ seconds: 86_400, requests: 1_000 }],
} as const satisfies Record<string, RateLimit>

export type RateLimitName = keyof typeof defaultRateLimits
export type RateLimits = Readonly<Record<RateLimitName, RateLimit>>

/**
 * The rates that a text like `api_by_user=400/60 email_change_by_user=2/3600,5/86400` asks for: requests per seconds,
 * over the default ones. Throws an Error that says what is wrong.
 */
export const parseRateLimits = (text: string): RateLimits => {
  const rates: Record<string, RateLimit> = { ...defaultRateLimits }
  for (const part of text.split(/\s+/).filter((piece) => piece !== '')) {
    const [, name = '', windows = ''] = /^(\w+)=(.+)$/.exec(part) ?? []
    if (!Object.hasOwn(defaultRateLimits, name)) {
      throw new Error(`"${part}" names none of ${Object.keys(defaultRateLimits).join(', ')}`)
    }
    rates[name] = windows.split(',').map((window) => {
      const [, requests, seconds] = /^([1-9]\d{0,8})\/([1-9]\d{0,7})$/.exec(window) ?? []
      if (requests === undefined || seconds === undefined) {
        throw new Error(`"${window}" of ${name} is not <requests>/<seconds>`)
      }
      return { requests: Number(requests), seconds: Number(seconds) }
    })
  }
  return rates as RateLimits
}
