/** What the log says of a mail that a mail server did not take. */
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openMail } from '../../src/workers/jobs/mail.js'

test('The error of a mail that was not sent names its recipient and SMTP_URL, without the password.', async () => {
  const config = { MAIL_FROM: undefined, MAIL_OUTBOX: '', BASE_DOMAIN: 'chat.test' }
  const send = openMail({ ...config, SMTP_URL: 'smtp://parley:s3cret%40@127.0.0.1:1' }, pino({ level: 'silent' }))
  const sent = send({ to: 'ada@example.com', subject: 'Hello', text: 'Hello' })
  await expect(sent).rejects.toThrow(
    /the mail to ada@example\.com was not sent by SMTP_URL \(smtp:\/\/parley@127\.0\.0\.1:1\): .*ECONNREFUSED/,
  )
  await expect(sent).rejects.not.toThrow(/s3cret/)
})
