// Fails unless the installed build of uWebSockets.js is native here, and serves a request.
// The Dockerfile runs it, because a build for a newer C library, or another version of Node, installs without an error.
import uWS from 'uWebSockets.js'

const fail = (reason) => {
  console.error(`This build of uWebSockets.js cannot be used here: ${reason}`)
  process.exit(1)
}

if (!/\[native code\]/.test(Function.prototype.toString.call(uWS.App))) fail('it has no native code for this system')
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
