/** Commits of which Postgres warns that no standby has them. */
import { expect, onTestFinished, test } from 'vitest'
import { openDriver } from '../../../src/store/driver/driver.js'
import { greeting, message, openScriptedServer } from '../../setup/proxies/scripted-server.js'

test('A commit whose wait for the standby was cancelled fails.', async () => {
  const warning = message('N', 'SWARNING\0VWARNING\0C01000\0Mcanceling the wait\0RSyncRepWaitForLSN\0\0')
  const { open } = openScriptedServer([greeting, [warning, message('C', 'COMMIT\0'), message('Z', 'I')]])
  const sql = openDriver('postgres://nobody@none/none', { max: 1, parameters: {}, open })
  onTestFinished(() => sql.end({ timeout: 0 }))
  await expect(sql.unsafe('commit')).rejects.toMatchObject({ code: 'COMMIT_NOT_REPLICATED' })
})
