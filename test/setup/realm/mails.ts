/** The mails of the shared worker, which writes them to a folder (MAIL_OUTBOX). */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

/** The mails to an address so far, oldest first, as text with unwrapped lines. */
export const readMails = (email: string): string[] => {
  const outbox = join(inject('log_folder'), 'outbox')
  let files: string[] = []
  try {
    files = readdirSync(outbox).sort()
  } catch {
    // No mail was written yet.
  }
  return files
    .map((file) =>
      readFileSync(join(outbox, file), 'utf8')
        .replaceAll(/=\r?\n/g, '')
        .replaceAll('=3D', '='),
    )
    .filter((mail) => mail.toLowerCase().includes(`to: ${email.toLowerCase()}`))
}

/** Waits until there are `count` mails to an address. */
export const waitForMails = async (email: string, count = 1): Promise<string[]> => {
  for (;;) {
    const mails = readMails(email)
    if (mails.length >= count) return mails
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
