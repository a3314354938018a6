/** The mails of the fleet's workers, which have nowhere else to go. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

/** The mails to an address so far, oldest first, with their lines as they were written. */
export const readMails = (email: string): string[] => {
  const outbox = join(inject('log_folder'), 'outbox')
  let files: string[] = []
  try {
    files = readdirSync(outbox).sort()
  } catch {
    // There was none yet.
  }
  return files
    .map((file) =>
      readFileSync(join(outbox, file), 'utf8')
        .replaceAll(/=\r?\n/g, '')
        .replaceAll('=3D', '='),
    )
    .filter((mail) => mail.toLowerCase().includes(`to: ${email.toLowerCase()}`))
}

/** The same, once there are so many. */
export const waitForMails = async (email: string, count = 1): Promise<string[]> => {
  for (;;) {
    const mails = readMails(email)
    if (mails.length >= count) return mails
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
