/** The end of a process that was told to end. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { root } from '../../src/dev/root.js'

const imports = `
  import { pino } from '${root}/node_modules/pino/pino.js'
  import { closeServices } from '${root}/dist/store/processes/close-services.js'`

const end = (services: string): Promise<{ code: number; stdout: string }> => {
  const script = `${imports}
    await closeServices(pino(), ${services}, 200)`
  return promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }) => ({ code, stdout }),
  )
}

test('A process closes its services in order, and ends in time and says which one is not closed.', async () => {
  const tell = (name: string) => `${name}: async () => console.log('${name}')`
  expect(await end(`{ ${tell('first')}, ${tell('second')} }`)).toEqual({ code: 0, stdout: 'first\nsecond\n' })
  const late = await end(`{ ${tell('first')}, database: () => new Promise(() => {}), ${tell('last')} }`)
  expect(late.code).toBe(1)
  expect(late.stdout).toMatch(/^first\n\{.*"closing":"database".*"a service was not closed in time"\}\n$/)
})

test.each([
  ['has closed its services', '{}', 0],
  ['could not close one of them', '{ database: () => new Promise(() => {}) }', 1],
])('A process that %s ends while a debugger is connected to it.', async (_, services, code) => {
  const script = `${imports}
    process.on('SIGTERM', () => closeServices(pino(), ${services}, 200))
    setInterval(() => {}, 1_000)
    console.log(inspector.url())`
  const args = [
    '--inspect=127.0.0.1:0',
    '--input-type=module',
    '-e',
    `import inspector from 'node:inspector'\n${script}`,
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const exit = once(child, 'exit')
  try {
    const [address] = await once(child.stdout, 'data')
    const socket = new WebSocket(String(address).trim()).on('error', () => {})
    await once(socket, 'open')
    socket.send('{"id":1,"method":"Runtime.enable"}')
    await once(socket, 'message')
    child.kill('SIGTERM')
    expect(await exit).toEqual([code, null])
  } finally {
    child.kill('SIGKILL')
  }
})
