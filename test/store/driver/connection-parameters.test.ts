/** Parameters of connections that a proxy refuses while their pool is open. */
import { expect, onTestFinished, test } from 'vitest'
import { openDriver } from '../../../src/store/driver/driver.js'
import { greeting, message, openScriptedServer } from '../../setup/proxies/scripted-server.js'

test('A refused parameter is left out of the next connection of an open pool.', async () => {
  const { open, connections } = openScriptedServer([greeting, [message('C', 'SELECT 0\0'), message('Z', 'I')]])
  const refused = new Set<string>()
  const sql = openDriver('postgres://nobody@none/none', {
    max: 1,
    parameters: { application_name: 'test', plan_cache_mode: 'force_generic_plan' },
    isRefused: (name) => refused.has(name),
    open,
  })
  onTestFinished(() => sql.end({ timeout: 0 }))
  await sql.unsafe('select')
  refused.add('plan_cache_mode')
  connections[0]?.stream.destroy()
  await new Promise((resolve) => connections[0]?.stream.once('close', resolve))
  await sql.unsafe('select')
  expect(connections.map(({ sent }) => sent[0]?.includes('plan_cache_mode'))).toEqual([true, false])
  expect(connections[1]?.sent[0]).toContain('application_name\0test')
})
