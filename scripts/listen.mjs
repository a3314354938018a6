/**
 * Listens on a WebSocket as one account of a running `npm start`, and prints every event.
 *
 *   node scripts/listen.mjs                            messages, reactions, typing and presence
 *   node scripts/listen.mjs message subscription       these event types
 *   node scripts/listen.mjs --as lena@parley.example --data .data
 *
 * The handshake names no queue, so it registers one. The first frame is the answer of that registration. Each later
 * frame is one event, with the same bytes as in a long poll.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { WebSocket } from 'ws'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: fileURLToPath(new URL('../.data', import.meta.url)) },
    as: { type: 'string' },
  },
})
const file = join(values.data, 'dev.json')
if (!existsSync(file)) fail(`${file} does not exist: run npm start first, in another terminal.`)
const { url, users } = JSON.parse(readFileSync(file, 'utf8'))
const user = values.as ? users.find(({ email }) => email === values.as) : users[0]
if (!user) fail(`There is no account ${values.as} in ${file}.`)

const types = positionals.length > 0 ? positionals : ['message', 'reaction', 'typing', 'presence']
const query = new URLSearchParams({ event_types: JSON.stringify(types), fetch_event_types: '[]' })
const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/v1/events?${query}`, {
  headers: { authorization: `Basic ${Buffer.from(`${user.email}:${user.api_key}`).toString('base64')}` },
})

socket.on('message', (frame) => {
  const { req, body } = JSON.parse(frame)
  console.log(req === 0 ? `Listening as ${user.email} on queue ${body.queue_id}; press Ctrl-C to stop.` : `${frame}`)
})
socket.on('unexpected-response', (_request, answer) => {
  answer.setEncoding('utf8').on('data', (text) => fail(`The server answered ${answer.statusCode}: ${text}`))
})
socket.on('error', (error) => fail(`Cannot connect to ${url}: ${error.message || error.code}`))
socket.on('close', (code, reason) => fail(`The server closed the socket: ${code} ${reason}`))

function fail(message) {
  console.error(message)
  process.exit(1)
}
