/**
 * Sends mail over SMTP, or writes it into a folder for developers if SMTP_URL is not set.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import nodemailer, { type SendMailOptions } from 'nodemailer'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.js'

/** Milliseconds for the connection to the mail server, for its greeting, and of silence at any later time. */
const CONNECT_MS = 10_000
const GREETING_MS = 10_000
const SILENCE_MS = 30_000

export interface Mail {
  to: string
  subject: string
  text: string
  /** the same as HTML, for programs that show it */
  html?: string
  /** with angle brackets */
  messageId?: string
  /** ids of what the mail continues; mail programs group mails by them */
  references?: readonly string[]
  /** the address that ends such mails by one POST request without credentials (RFC 8058) */
  unsubscribe?: string
}

/** Delivers a mail. Throws MailError when the mail server does not take it. */
export type SendMail = (mail: Mail) => Promise<void>

/** A mail server did not take a mail. The message names both. */
class MailError extends Error {}

const withoutPassword = (smtp_url: string): string => {
  const { protocol, username, host } = new URL(smtp_url)
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}`
}

const openTransport = (smtp_url: string) =>
  nodemailer.createTransport({
    url: smtp_url,
    dnsTimeout: CONNECT_MS,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: SILENCE_MS,
  })

const findSender = ({ MAIL_FROM, BASE_DOMAIN }: Pick<Config, 'MAIL_FROM' | 'BASE_DOMAIN'>): string =>
  MAIL_FROM ?? `Parley <noreply@${BASE_DOMAIN}>`

/** Logs in at the mail server, and sends a mail if there is a recipient. @returns why it failed */
export const verifyMail = async (
  { SMTP_URL = '', MAIL_FROM, BASE_DOMAIN }: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'BASE_DOMAIN'>,
  recipient: string | undefined,
): Promise<string | undefined> => {
  const transport = openTransport(SMTP_URL)
  try {
    await transport.verify()
    const text = `This is a test of the mail server of ${BASE_DOMAIN}: it works.`
    const from = findSender({ MAIL_FROM, BASE_DOMAIN })
    if (recipient !== undefined) await transport.sendMail({ from, to: recipient, subject: 'A test of mail', text })
    return undefined
  } catch (error) {
    return `${withoutPassword(SMTP_URL)}: ${(error as Error).message}`
  } finally {
    transport.close()
  }
}

/** Opens the delivery of mail. It connects to the mail server when the first mail is sent. */
export const openMail = (
  config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'MAIL_OUTBOX' | 'BASE_DOMAIN'>,
  log: Logger,
): SendMail => {
  const { SMTP_URL, MAIL_OUTBOX } = config
  const from = findSender(config)
  if (SMTP_URL !== undefined) {
    const transport = openTransport(SMTP_URL)
    return async (mail) => {
      try {
        await transport.sendMail({ from, ...withHeaders(mail) })
      } catch (error) {
        const server = withoutPassword(SMTP_URL)
        throw new MailError(
          `the mail to ${mail.to} was not sent by SMTP_URL (${server}): ${(error as Error).message}`,
          {
            cause: error,
          },
        )
      }
    }
  }
  const builder = nodemailer.createTransport({ streamTransport: true, buffer: true })
  return async (mail) => {
    const { message } = await builder.sendMail({ from, ...withHeaders(mail) })
    await mkdir(MAIL_OUTBOX, { recursive: true })
    const file = join(MAIL_OUTBOX, `${Date.now()}-${randomBytes(4).toString('hex')}.eml`)
    await writeFile(file, message as Buffer)
    log.info({ to: mail.to, file }, 'a mail is in the outbox: SMTP_URL is not set')
  }
}

// An address is no list of addresses, whatever characters it has.
const withHeaders = ({ to, references, unsubscribe, ...mail }: Mail): SendMailOptions => ({
  ...mail,
  to: { name: '', address: to },
  ...(references !== undefined && { references: [...references], inReplyTo: references.join(' ') }),
  ...(unsubscribe !== undefined && {
    list: { unsubscribe },
    headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  }),
})
