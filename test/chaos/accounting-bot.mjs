/**
 * A bot whose answers are counted (bots.test.ts). It answers each order `order 7` with `answer 7`, and for each second
 * order it first sends `step 7`. It prints which orders it has handled.
 *
 * With IGNORES_ACK it answers without an acknowledgement, and acknowledges its events later.
 */
import { createBot, createClient } from '@parley/client'

const { PARLEY_URLS: urls = '', PARLEY_EMAIL: email = '', PARLEY_API_KEY: apiKey = '', IGNORES_ACK } = process.env
const client = createClient({ url: urls.split(','), credentials: { email, apiKey }, timeout: 5_000 })
const bot = createBot(client, { name: 'accountant' })

bot.on('message', async ({ message }, tx) => {
  const number = /^order (\d+)$/.exec(message.content)?.[1]
  if (number === undefined) return
  const place = { type: 'channel', to: String(message.stream_id) }
  const answer = { ...place, topic: 'answers', content: `answer ${number}` }
  try {
    if (Number(number) % 2 === 1) {
      await tx.call('POST /messages', { ...place, topic: 'steps', content: `step ${number}` })
    }
    if (IGNORES_ACK === undefined) await tx.answer('POST /messages', answer)
    else await client.call('POST /messages', answer)
  } finally {
    console.log(`handled ${number}`)
  }
})

console.log('started')
await bot.run()
