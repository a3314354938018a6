/** The end of a process that was told to end. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from '../../src/dev/root.js'

const end = (services: string): Promise<{ code: number; stdout: string }> => {
  const script = `
    import { pino } from '${root}/node_modules/pino/pino.js'
    import { closeServices } from '${root}/dist/store/processes/close-services.js'
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
