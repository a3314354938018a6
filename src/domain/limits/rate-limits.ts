/**
 * The default rate limits: at most `requests` requests in any window of `seconds` seconds.
 *
 * Source: protocol/errors.md 8, protocol/events.md 1.5 (polls), protocol/endpoints.md 1.10 (invitations per day). The
 * limits that the protocol does not define (`uploads_by_user`, `downloads_by_user`, `downloads_by_ip`,
 * `authenticate_by_ip`, `address_tests_by_user`) state their reason.
 */

export interface RateWindow {
  seconds: number
  requests: number
}

/** The windows of one rate limit. All of them apply. */
export type RateLimit = readonly RateWindow[]

/** The limits of a deployment that sets no others. */
export const defaultRateLimits = {
  /** calls by one user */
  api_by_user: [{ seconds: 60, requests: 200 }],
  /** polls and WebSocket handshakes by one user; separate, so that a client with many events can still make calls */
  events_by_user: [{ seconds: 60, requests: 200 }],
  /** uploads by one user; separate, because an upload costs more than a call, so a deployment can allow fewer */
  uploads_by_user: [{ seconds: 60, requests: 200 }],
  /** downloads of files by one user; separate, because a page of messages can show a hundred images */
  downloads_by_user: [{ seconds: 60, requests: 1_000 }],
  /** downloads without credentials from one address, which many users can share: every client loads all avatars once */
  downloads_by_ip: [{ seconds: 60, requests: 6_000 }],
  /** pictures of other sites that one user makes the server load; those that it has are downloads */
  external_pictures_by_user: [{ seconds: 60, requests: 300 }],
  /** the same without credentials from one address */
  external_pictures_by_ip: [{ seconds: 60, requests: 300 }],
  /** calls without credentials from one address */
  api_by_ip: [{ seconds: 60, requests: 100 }],
  /** calls, handshakes and requests for files without valid credentials, from one address */
  failed_authentication_by_ip: [{ seconds: 60, requests: 100 }],
  /** wrong passwords for one account from one address, so that a guesser elsewhere does not lock out the user */
  authenticate_by_username: [{ seconds: 1_800, requests: 5 }],
  /** wrong passwords for one account from all addresses, against a guesser with many */
  authenticate_by_account: [
    { seconds: 1_800, requests: 50 },
    { seconds: 86_400, requests: 200 },
  ],
  /** wrong passwords from one address for any account, against an attacker who tries one password on many accounts */
  authenticate_by_ip: [{ seconds: 1_800, requests: 100 }],
  /** wrong codes of the second factor of one account: with more, a guesser would hit one in some years */
  second_factor_by_account: [
    { seconds: 600, requests: 5 },
    { seconds: 86_400, requests: 50 },
  ],
  /** mails to one account about wrong codes */
  second_factor_mail_by_account: [{ seconds: 86_400, requests: 3 }],
  /** refused log-ins with providers that one organization's audit log records, which strangers cause */
  failed_log_ins_by_realm: [{ seconds: 3_600, requests: 100 }],
  /** changes of the email address by one user */
  email_change_by_user: [
    { seconds: 3_600, requests: 2 },
    { seconds: 86_400, requests: 5 },
  ],
  /** answers to one administrator that an address, which the administrator may not see, has an account */
  address_tests_by_user: [
    { seconds: 3_600, requests: 10 },
    { seconds: 86_400, requests: 20 },
  ],
  /** password reset mails to one address */
  password_reset_form_by_email: [
    { seconds: 3_600, requests: 2 },
    { seconds: 86_400, requests: 5 },
  ],
  /** mails caused by calls without credentials from one address */
  sends_email_by_ip: [{ seconds: 86_400, requests: 5 }],
  /** mails to one address that confirm it for joining by a reusable invitation */
  join_mail_by_email: [
    { seconds: 3_600, requests: 2 },
    { seconds: 86_400, requests: 5 },
  ],
  /** the same mails, caused from one address: a class or an office joins from one */
  join_mail_by_ip: [{ seconds: 86_400, requests: 100 }],
  /** the same mails, caused with one invitation, whose link anyone may pass on */
  join_mail_by_invitation: [{ seconds: 86_400, requests: 500 }],
  /** mails of one organization to one mailbox that confirm it for signing up */
  sign_up_mail_by_email: [
    { seconds: 3_600, requests: 2 },
    { seconds: 86_400, requests: 5 },
  ],
  /** the same mails to one mailbox, of all organizations together: nobody floods a stranger with many organizations */
  sign_up_mail_by_mailbox: [{ seconds: 86_400, requests: 15 }],
  /** the same mails, caused from one address: a class or an office signs up from one */
  sign_up_mail_by_ip: [{ seconds: 86_400, requests: 100 }],
  /** the same mails of one organization, caused from many addresses */
  sign_up_mail_by_realm: [{ seconds: 86_400, requests: 1_000 }],
  /** invitations by mail in one organization */
  invitations_by_realm: [{ seconds: 86_400, requests: 500 }],
  /** downloads of one file without credentials */
  spectator_attachment_access_by_file: [{ seconds: 86_400, requests: 1_000 }],
} as const satisfies Record<string, RateLimit>

export type RateLimitName = keyof typeof defaultRateLimits
export type RateLimits = Readonly<Record<RateLimitName, RateLimit>>

/**
 * Parses a text with rate limits, each in the form requests/seconds. An example is
 * `api_by_user=400/60 email_change_by_user=2/3600,5/86400`. A limit that the text does not name has its default. Throws
 * an Error that says what is wrong with the text.
 */
export const parseRateLimits = (text: string): RateLimits => {
  const rates: Record<string, RateLimit> = { ...defaultRateLimits }
  for (const part of text.split(/\s+/).filter((piece) => piece !== '')) {
    const [, name = '', windows = ''] = /^(\w+)=(.+)$/.exec(part) ?? []
    if (!Object.hasOwn(defaultRateLimits, name)) {
      throw new Error(`"${part}" must begin with one of these names: ${Object.keys(defaultRateLimits).join(', ')}`)
    }
    rates[name] = windows.split(',').map((window) => {
      const [, requests, seconds] = /^([1-9]\d{0,8})\/([1-9]\d{0,7})$/.exec(window) ?? []
      if (requests === undefined || seconds === undefined) {
        throw new Error(`"${window}" of ${name} must have the form <requests>/<seconds>`)
      }
      return { requests: Number(requests), seconds: Number(seconds) }
    })
  }
  return rates as RateLimits
}
