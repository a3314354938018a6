import { join } from 'node:path'
import { DEFAULT_DATA } from './options.js'
import type { Services } from './services.js'

/** One account of the demo organization, as in dev.json. */
export interface DemoUser {
  user_id: number
  email: string
  full_name: string
  role: number
  /** null for a bot, which has no password */
  password: string | null
  api_key: string
}

/** dev.json: what a script needs to use a running `npm start`. */
export interface DevJson extends Services {
  /** the address of the first gateway; the API is at `${url}/api/v1` */
  url: string
  realm: string
  users: DemoUser[]
  /** the addresses of all gateways, the first included */
  gateways: string[]
  /** the address of the operators' console */
  console: string
}

/**
 * Composes the text that is printed when everything runs. It names the address to open, an account, and three commands
 * to try.
 */
export function welcomeText({ url, users, console }: DevJson, folder: string): string {
  const [user] = users
  if (user === undefined) return `\nParley runs at ${url}. Press Ctrl-C to stop.`
  const auth = `-u '${user.email}:${user.api_key}'`
  const query = `q=JSON.parse(fs.readFileSync(0)); "queue_id="+q.queue_id+"&last_event_id="+q.last_event_id`
  const dataOption = folder === DEFAULT_DATA ? '' : ` --data '${folder}'`
  return `
Parley runs at ${url}   (API: ${url}/api/v1)

Open ${url} in a browser, and log in with one click on an account.
Operators watch all processes at ${console}

For programs:

  account  ${user.email}   password  ${user.password}
  API key  ${user.api_key}
  others   ${join(folder, 'dev.json')}

Three things to try in another terminal:

1. Listen on a WebSocket, and leave it running:

   node scripts/listen.mjs${dataOption}

2. Send a message:

   curl -s ${auth} ${url}/api/v1/messages \\
     -d type=channel -d to=general -d topic=greetings --data-urlencode 'content=Hello **world** :tada:'

3. Wait for the next message with a long poll, then send one as above:

   QUEUE=$(curl -s ${auth} ${url}/api/v1/register -d 'event_types=["message"]' | node -pe '${query}')
   curl -s ${auth} "${url}/api/v1/events?$QUEUE"

Press Ctrl-C to stop; everything is kept in ${folder} for the next start.`
}
