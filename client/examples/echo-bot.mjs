/**
 * A bot that answers every direct message, and every message that mentions it, with the same words.
 *
 *   PARLEY_URL=http://127.0.0.1:9991 PARLEY_EMAIL=echo-bot@parley.example PARLEY_API_KEY=… \
 *     node client/examples/echo-bot.mjs
 */
import { ApiError, createClient } from '@parley/client'

const { PARLEY_URL: url, PARLEY_EMAIL: email, PARLEY_API_KEY: apiKey } = process.env
if (!url || !email || !apiKey) {
  console.error('Set PARLEY_URL, PARLEY_EMAIL and PARLEY_API_KEY to the address and the credentials of a bot.')
  process.exit(1)
}
const client = createClient({ url, credentials: { email, apiKey } })
const me = await client.call('GET /users/me')
const events = client.events({ event_types: ['message'] })
await events.snapshot
console.log(`${me.full_name} listens.`)

for await (const event of events) {
  if (event.type !== 'message' || event.message.sender_id === me.user_id) continue
  const { message, flags } = event
  if (message.type === 'stream' && !flags.includes('mentioned')) continue
  const content = message.content.replace(`@**${me.full_name}**`, '').trim() || 'Yes?'
  try {
    await client.call('POST /messages', { ...answerPlace(message), content })
  } catch (error) {
    // One message that cannot be answered, for example in an archived channel, does not end the bot.
    if (!(error instanceof ApiError)) throw error
    console.error(error.message)
  }
}

/** Where the answer to a message is sent: to its topic, or to all participants of the conversation. */
function answerPlace({ type, stream_id, subject, display_recipient }) {
  if (type === 'stream') return { type: 'channel', to: String(stream_id), topic: subject }
  return { type: 'direct', to: JSON.stringify(display_recipient.map(({ id }) => id)) }
}
