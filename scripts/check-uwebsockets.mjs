// Fails unless the installed build of uWebSockets.js is the one that is expected, loads here, and serves a request:
//
//   node scripts/check-uwebsockets.mjs           the files have the SHA-256 of uwebsockets.sha256
//   node scripts/check-uwebsockets.mjs SHA256    the binary for this machine has this SHA-256
//   node scripts/check-uwebsockets.mjs any       no file is compared
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
const binary = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`
const folder = new URL('.', `file://${require.resolve('uWebSockets.js')}`)

/** The recorded SHA-256 of what is loaded here: the binary for this machine, and the scripts around it. */
const readRecorded = () =>
  readFileSync(new URL('uwebsockets.sha256', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('  '))
    .filter(([, name]) => name === binary || !name.endsWith('.node'))

if (expected !== 'any') {
  const wanted = expected === undefined ? readRecorded() : [[expected, binary]]
  if (!wanted.some(([, name]) => name === binary)) fail(`uwebsockets.sha256 has no line for ${binary}`)
  for (const [sha256, name] of wanted) {
    const hash = createHash('sha256')
      .update(readFileSync(new URL(name, folder)))
      .digest('hex')
    if (hash !== sha256) fail(`the SHA-256 of ${name} is ${hash}, and not ${sha256}`)
  }
}
let uWS
try {
  uWS = require('uWebSockets.js')
} catch (error) {
  fail(error.message)
}
for (const name of ['getParts', 'us_socket_local_port', 'us_listen_socket_close', 'LIBUS_LISTEN_EXCLUSIVE_PORT'])
  if (uWS[name] === undefined) fail(`it does not have ${name}`)
// Some packages of this library serve with a slow server in JavaScript where they have no binary.
if (!/\{\s*\[native code\]\s*\}$/.test(Function.prototype.toString.call(uWS.App))) fail('it is not native code')

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
