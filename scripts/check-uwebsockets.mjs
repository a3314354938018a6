// Fails unless the installed build of uWebSockets.js loads here, serves a request, and has the given SHA-256, if any:
//
//   node scripts/check-uwebsockets.mjs [SHA256]
//
// The Dockerfile runs it, because a build for a newer C library, or another version of Node, installs without an error.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const fail = (reason) => {
  console.error(`This build of uWebSockets.js cannot be used here: ${reason}`)
  process.exit(1)
}

const require = createRequire(import.meta.url)
const expected = process.argv[2]
if (expected !== undefined) {
  const name = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`
  const binary = readFileSync(new URL(name, new URL('.', `file://${require.resolve('uWebSockets.js')}`)))
  const hash = createHash('sha256').update(binary).digest('hex')
  if (hash !== expected) fail(`the SHA-256 of ${name} is ${hash}, and not ${expected}`)
}
let uWS
try {
  uWS = require('uWebSockets.js')
} catch (error) {
  fail(error.message)
}
for (const name of ['getParts', 'us_socket_local_port', 'us_listen_socket_close', 'LIBUS_LISTEN_EXCLUSIVE_PORT'])
  if (uWS[name] === undefined) fail(`it does not have ${name}`)

const listening = await new Promise((resolve) =>
  uWS
    .App()
    .any('/*', (res) => res.end('served'))
    .listen('127.0.0.1', 0, resolve),
)
if (listening === false) fail('it does not listen')
const answer = await fetch(`http://127.0.0.1:${uWS.us_socket_local_port(listening)}/`)
if ((await answer.text()) !== 'served') fail('it does not answer')
process.exit(0)
