/** The one form of a mail about an account: paragraphs of plain text. */

import type { JobKind } from '../../store/jobs/job-table.js'
import { type Effect, noEffect } from '../jobs/effects.js'
import type { JobContext } from '../jobs/job-handler.js'

interface ParagraphMail {
  to: string
  subject: string
  paragraphs: readonly string[]
}

/** Sends the mail. Returns the effect of a job that changes nothing in the database. */
export const mailParagraphs = async (
  { sendMail, runExternalCall }: Pick<JobContext<JobKind>, 'sendMail' | 'runExternalCall'>,
  { to, subject, paragraphs }: ParagraphMail,
): Promise<Effect> => {
  await runExternalCall(() => sendMail({ to, subject, text: `${paragraphs.join('\n\n')}\n` }))
  return noEffect
}
