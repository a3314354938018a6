/** The lines that a gateway logs of refused requests, and the filter of fail2ban in deploy/ that reads them. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { findProgram, unpackDebianPackage, unpackedFolder } from '../../src/dev/debian-package.mjs'
import { root } from '../../src/dev/root.js'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { startGateway } from '../setup/processes/processes.js'
import { newRealm, type Person } from '../setup/realm/realm.js'
import { sendRequest } from '../setup/requests/raw-request.js'

/** Runs fail2ban-regex of this machine, or of Debian's package; undefined when there is neither. */
const findFail2ban = (): ((log: string) => string) | undefined => {
  const path = process.env.PATH ?? ''
  const cache = join(root, 'node_modules/.cache/parley-fail2ban')
  const folder = unpackedFolder(cache)
  const installed = findProgram({ path }, 'fail2ban-regex')
  if (installed === undefined && !existsSync(folder)) unpackDebianPackage({ path, cache }, 'fail2ban', () => {})
  const [program, config] = installed
    ? [installed, '/etc/fail2ban']
    : [join(folder, 'usr/bin/fail2ban-regex'), join(folder, 'etc/fail2ban')]
  const env = { ...process.env, PYTHONPATH: installed ? '' : join(folder, 'usr/lib/python3/dist-packages') }
  const run = (args: string[]) => spawnSync('python3', [program, ...args], { env, encoding: 'utf8' })
  if (run(['--version']).status !== 0) return undefined
  const filter = join(root, 'deploy/fail2ban/parley.conf')
  return (log) => run(['-v', '--print-all-matched', '-c', config, log, filter]).stdout
}

/** A gateway behind a proxy, whose clients were refused from three addresses; and the lines of its log. */
const causeRefusals = async () => {
  await using realm = await newRealm()
  const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
  const RATES = 'failed_authentication_by_ip=2/3600'
  const env = { LOG_LEVEL: 'info', RATE_LIMITS: 'on', RATES, TRUSTED_PROXIES: '127.0.0.1', ACCESS_LOG: 'off' }
  await using gateway = await startGateway(env)
  const send = (address: string, path: string, key?: string, host = ada.host, body?: string) =>
    sendRequest(portOf(gateway.url), {
      method: body === undefined ? 'GET' : 'POST',
      path,
      host,
      ...(key === undefined ? {} : { authorization: `Basic ${Buffer.from(`${ada.email}:${key}`).toString('base64')}` }),
      headers: {
        'X-Forwarded-For': address,
        ...(body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
      ...(body === undefined ? {} : { body }),
    })
  const statuses: number[] = []
  const wrong = 'x'.repeat(32)
  for (let i = 0; i < 3; i++) statuses.push((await send('203.0.113.7', '/api/v1/users/me', wrong)).status)
  const login = new URLSearchParams({ username: ada.email, password: 'hunter2-of-ada' }).toString()
  statuses.push((await send('2001:db8::9', '/api/v1/fetch_api_key', undefined, ada.host, login)).status)
  // What a client writes cannot look like the fields of another address.
  const forged = `x","address":"198.51.100.1","status":401,"code":"X`
  await send('203.0.113.8', `/api/v1/users/me?a=${encodeURIComponent(forged)}`, wrong)
  await send('192.0.2.5', '/api/v1/users/me', ada.api_key)
  await gateway.stop()
  return { statuses, ada, log: readFileSync(gateway.logFile, 'utf8') }
}

test('A gateway logs each refused request with address and account, and fail2ban finds the addresses.', {
  timeout: 60_000,
}, async ({ skip }) => {
  const { statuses, ada, log } = await causeRefusals()
  expect(statuses.slice(0, 3)).toEqual([401, 401, 429])
  expect([401, 403]).toContain(statuses[3])
  const lines = log.split('\n').flatMap((line) => (line.includes('a request was refused') ? [JSON.parse(line)] : []))
  expect(lines).toMatchObject([
    { level: 30, address: '203.0.113.7', status: 401, account: ada.email, code: expect.any(String) },
    { address: '203.0.113.7', status: 401, account: ada.email },
    { address: '203.0.113.7', status: 429, account: ada.email },
    { address: '2001:db8::9', status: statuses[3], account: ada.email },
    { address: '203.0.113.8', status: 401 },
  ])
  expect(log).not.toContain('x'.repeat(32))
  expect(log).not.toContain('hunter2')
  expect(log).not.toContain(ada.api_key)
  expect(log).not.toContain('192.0.2.5')

  const find = findFail2ban() ?? skip('fail2ban-regex is neither installed nor in the archive of packages')
  const file = join(inject('log_folder'), `fail2ban-${process.pid}.log`)
  const disguised = '{"level":30,"time":1,"process":"worker","pid":1,"address":"198.51.100.2","status":401,"code":"X"}'
  writeFileSync(file, `${log}${disguised}\n`)
  const found = find(file)
  const addresses = [...found.matchAll(/^\|\s+(\S+)\s+\w{3} \w{3} \d+ [\d:]+ \d{4}$/gm)].map(([, address]) => address)
  expect(addresses).toEqual(['203.0.113.7', '203.0.113.7', '203.0.113.7', '2001:db8::9', '203.0.113.8'])
  // A line of the journal, without the time that fail2ban takes from its entry.
  const [line = ''] = log.split('\n').filter((one) => one.includes('203.0.113.8'))
  expect(find(`chat node[12]: ${line}`)).toContain('1 matched')
})
