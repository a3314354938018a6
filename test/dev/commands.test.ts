/** What commands of operators do with an organization that is in use. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { judgeProxies } from '../../src/administration/checks/public-address.js'
import type { Config } from '../../src/config/config.js'
import { cli, runCli } from '../setup/processes/cli.js'
import { startWorker } from '../setup/processes/processes.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { anyGateway, call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { upload } from '../setup/requests/files.js'

const setUp = async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  const [owner] = (await realm.people({ full_name: 'Owner', role: 100 })) as [Person]
  const [ada, grace] = people as [Person, Person]
  const [name = ''] = realm.host.split('.')
  return { realm, name, owner, ada, grace, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

/** Uploads a file of 9 bytes. @returns its path id */
const uploadPlan = async (by: Person): Promise<string> => {
  const file = { filename: 'plan.txt', type: 'text/plain', data: 'Seats: 12' }
  const { url } = JSON.parse((await upload(by, '/user_uploads', file)).text) as { url: string }
  return url.replace('/user_uploads/', '')
}

const newFolder = () => {
  const path = mkdtempSync(join(tmpdir(), 'parley-commands-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
}

test('usage counts the accounts, messages and files of an organization.', async () => {
  await using s = await setUp()
  await s.realm.people({ full_name: 'Guest', role: 600 })
  await createChannel(s.ada, 'design', [s.ada])
  await postMessage(s.ada, 'design', 'logo', 'A draft')
  await sendDirectMessage(s.ada, [s.grace], 'hello')
  const before = Date.now() / 1000
  const { realms } = (await cli('usage', s.name)) as { realms: Record<string, unknown>[] }
  expect(realms).toEqual([
    expect.objectContaining({ realm: s.name, is_active: true, users: 4, guests: 1, bots: 0, channels: 1 }),
  ])
  expect(realms[0]).toMatchObject({ messages: 2, messages_in_30_days: 2, upload_bytes: 0, upload_quota_mib: null })
  expect(before - Number(realms[0]?.last_message_at)).toBeLessThan(60)
  await uploadPlan(s.ada)
  const all = (await cli('usage')) as { realms: Record<string, unknown>[] }
  expect(all.realms.find(({ realm }) => realm === s.name)).toMatchObject({ upload_bytes: 9 })
  await expect(cli('usage', 'nowhere')).rejects.toThrow('no organization named nowhere')
})

test('audit-log prints the acts of administrators and of the command line, page by page.', async () => {
  await using s = await setUp()
  await ok(s.owner, 'PATCH', '/realm', { description: 'We build engines.' })
  await cli('upload-quota', s.name, '7')
  interface Act {
    id: number
    user: string | null
    action: string
    changes: { after: object }[]
  }
  const read = async (...args: string[]) => ((await cli('audit-log', s.name, ...args)) as { acts: Act[] }).acts
  const [last, first] = await read()
  expect(last).toMatchObject({ user: null, action: 'command line', changes: [{ after: { upload_quota_mib: 7 } }] })
  expect(first).toMatchObject({ user: s.owner.email, action: 'PATCH /realm' })
  expect(await read('--limit', '1')).toMatchObject([{ id: last?.id }])
  expect((await read('--limit', '1', '--before', String(last?.id)))[0]?.id).toBe(first?.id)
  await expect(read('--limit', '0')).rejects.toThrow('--limit must be a number from 1')
})

test('undo undoes an act by its id, or says what it would do, or what changed since.', async () => {
  await using s = await setUp()
  await ok(s.owner, 'PATCH', '/realm', { description: 'We build engines.' })
  const { acts } = (await cli('audit-log', s.name)) as { acts: { id: number; undone_by: number | null }[] }
  const id = String(acts[0]?.id)
  expect(await cli('undo', s.name, id, '--dry-run')).toMatchObject({
    changes: [{ table: 'realms', before: { description: 'We build engines.' } }],
    changed_since: [],
    obstacle: null,
  })
  expect(await cli('undo', s.name, id)).toEqual({ realm: s.name, undone: [Number(id)] })
  await expect(cli('undo', s.name, id)).rejects.toThrow('This act is undone already.')
  await ok(s.owner, 'PATCH', '/realm', { description: 'one' })
  const newest = (await cli('audit-log', s.name, '--limit', '1')) as { acts: typeof acts }
  await ok(s.owner, 'PATCH', '/realm', { description: 'two' })
  await expect(cli('undo', s.name, String(newest.acts[0]?.id))).rejects.toThrow('"now":"two"')
  await expect(cli('undo', s.name, 'x')).rejects.toThrow('the id of an act')
})

test('export writes what was asked for into a new file.', async () => {
  await using s = await setUp()
  using folder = newFolder()
  await createChannel(s.ada, 'design', [s.ada])
  await postMessage(s.ada, 'design', 'logo', 'A draft')
  await sendDirectMessage(s.ada, [s.grace], 'Between us')
  const write = async (name: string, ...args: string[]) => {
    const file = join(folder.path, `${name}.tar.gz`)
    expect(await cli('export', s.name, file, ...args)).toEqual({ realm: s.name, file })
    const read = (document: string) => JSON.parse(execFileSync('tar', ['-xzOf', file, document]).toString())
    return { read, contents: (read('messages/000001.json') as { content: string }[]).map(({ content }) => content) }
  }
  const shared = await write('public')
  expect(shared.contents).toEqual(['A draft'])
  expect(shared.read('realm.json')).toMatchObject({ string_id: s.name })
  expect((await write('all', '--messages', 'all')).contents).toEqual(['A draft', 'Between us'])
  expect((await write('consented', '--messages', 'consented')).contents).toEqual(['A draft'])
  const again = join(folder.path, 'all.tar.gz')
  await expect(cli('export', s.name, again)).rejects.toThrow('exists already')
  await expect(cli('export', s.name, join(folder.path, 'no/x.gz'))).rejects.toThrow('There is no folder')
  await expect(cli('export', s.name, join(folder.path, 'x'), '--messages', 'some')).rejects.toThrow('public, consented')
  expect(readdirSync(folder.path).sort()).toEqual(['all.tar.gz', 'consented.tar.gz', 'public.tar.gz'])
})

test('delete-realm deletes the data of a deactivated organization, and frees its name if it is told to.', async () => {
  await using s = await setUp()
  const path_id = await uploadPlan(s.ada)
  const stored = join(inject('process_env').UPLOADS_DIR ?? '', 'uploads', ...path_id.split('/').slice(0, 2))
  expect(existsSync(stored)).toBe(true)
  await expect(cli('delete-realm', s.name)).rejects.toThrow(`node dist/cli.js deactivate-realm ${s.name}`)
  await cli('deactivate-realm', s.name)
  expect(await cli('delete-realm', s.name)).toEqual({ realm: s.name, is_deleted: true })
  expect(existsSync(stored)).toBe(false)
  expect((await call(s.ada, 'GET', '/users/me')).status).toBe(401)
  await expect(cli('reactivate-realm', s.name)).rejects.toThrow('was deleted')
  const owner = ['--owner-email', 'ada@example.com', '--owner-name', 'Ada Lovelace']
  await expect(cli('create-realm', s.name, '--name', 'Again', ...owner)).rejects.toThrow('already')

  // Gateways that have served the former organization serve the new one.
  await cli('delete-realm', s.name, '--free-name')
  const created = (await cli('create-realm', s.name, '--name', 'Again', ...owner)) as { owner: Person }
  const again = { ...created.owner, host: s.realm.host }
  for (const url of inject('gateway_urls')) {
    expect((await ok(again, 'GET', '/users/me', {}, { url })).full_name).toBe('Ada Lovelace')
    expect((await call(s.ada, 'GET', '/users/me', {}, { url })).status).toBe(401)
  }
  const { realms } = (await cli('list-realms')) as { realms: { string_id: string }[] }
  expect(realms.filter(({ string_id }) => string_id === s.name || string_id.includes('deleted'))).toHaveLength(1)
})

test('An organization gets no more accounts and messages than its quotas permit.', async () => {
  await using s = await setUp()
  expect(await cli('quota', s.name, '--users', '4', '--messages', '2')).toEqual({
    realm: s.name,
    user_quota: 4,
    message_quota: 2,
    call_quota: null,
    upload_quota_mib: null,
  })
  const password = 'correct horse battery staple'
  const create = (name: string) =>
    call(s.owner, 'POST', '/users', { email: `${name}@example.com`, full_name: name, password })
  expect((await create('mary')).body.result).toBe('success')
  const full = 'The operator of this server permits the organization 4 accounts: deactivate one first.'
  expect((await create('joan')).body).toMatchObject({ code: 'BAD_REQUEST', msg: full })
  // A bot is no account of a human. A deactivated account makes room, and then cannot come back.
  expect((await call(s.ada, 'POST', '/bots', { full_name: 'Helper', short_name: 'helper' })).body.result).toBe(
    'success',
  )
  await ok(s.owner, 'DELETE', `/users/${s.grace.user_id}`)
  expect((await create('joan')).body.result).toBe('success')
  expect((await call(s.owner, 'POST', `/users/${s.grace.user_id}/reactivate`)).body.msg).toBe(full)
  await expect(cli('reactivate-user', s.name, s.grace.email)).rejects.toThrow(full)

  const send = () => call(s.ada, 'POST', '/messages', { type: 'direct', to: [s.owner.user_id], content: 'hello' })
  expect([(await send()).status, (await send()).status]).toEqual([200, 200])
  expect((await send()).body).toMatchObject({
    code: 'BAD_REQUEST',
    msg: expect.stringContaining('permits the organization 2 messages'),
  })
  await cli('quota', s.name, '--messages', 'none', '--users', 'none')
  expect((await send()).status).toBe(200)
  expect((await call(s.owner, 'POST', `/users/${s.grace.user_id}/reactivate`)).body.result).toBe('success')
  for (const wrong of ['-1', '1.5', 'many']) {
    await expect(cli('quota', s.name, `--users=${wrong}`)).rejects.toThrow('is not a number of users')
  }
  await expect(cli('quota', s.name, '--calls-per-minute', '0')).rejects.toThrow('at least 1')
  const unlimited = { ...inject('process_env'), RATE_LIMITS: 'off' }
  const { stderr } = await runCli(['quota', s.name, '--calls-per-minute', '9'], unlimited)
  expect(stderr).toContain('Gateways whose RATE_LIMITS is off')
})

interface Finding {
  state: string
  subject: string
  text: string
}

const check = async (env: Record<string, string>) => {
  const given = { ...inject('process_env'), PUBLIC_URL: anyGateway(), ...env }
  const { code, stdout, stderr } = await runCli(['check', '--json'], given)
  const { findings } = JSON.parse(stdout) as { findings: Finding[] }
  const find = (state: string) => findings.filter((one) => one.state === state)
  return { code, stderr, failed: find('failed'), warned: find('warning'), fine: find('ok') }
}

test('check finds that everything works, and prints it as a table.', async () => {
  const { code, failed, warned, fine } = await check({})
  expect([code, failed]).toEqual([0, []])
  expect(warned.map(({ subject }) => subject)).toContain('SMTP_URL')
  const subjects = ['Node', 'configuration', 'DATABASE_URL', 'REDIS_URL', 'UPLOADS_DIR', 'PUBLIC_URL', 'clock']
  expect(fine.map(({ subject }) => subject)).toEqual(expect.arrayContaining([...subjects, 'TRUSTED_PROXIES']))
  const processes = fine.filter(({ subject }) => subject === 'processes').map(({ text }) => text)
  expect(processes).toEqual([expect.stringMatching(/^gateways: \d+$/), expect.stringMatching(/^workers: \d+$/)])
  const { stdout } = await runCli(['check'], { ...inject('process_env'), PUBLIC_URL: anyGateway() })
  expect(stdout).toMatch(/^ok +DATABASE_URL +Postgres \d+.*, all migrations, \d+ of \d+ connections used$/m)
})

test('check names each part that does not work, with what to do.', async () => {
  const database = new URL(inject('database_url'))
  database.pathname = '/nowhere'
  const { code, stderr, failed } = await check({
    DATABASE_URL: database.href,
    REDIS_URL: 'redis://127.0.0.1:1',
    UPLOADS_DIR: '/dev/null/files',
    SMTP_URL: 'smtp://ada:secret@127.0.0.1:1',
    PUBLIC_URL: 'http://127.0.0.1:1',
  })
  const texts = Object.fromEntries(failed.map(({ subject, text }) => [subject, text]))
  expect(texts).toEqual({
    DATABASE_URL: expect.stringContaining('no database named nowhere'),
    REDIS_URL: expect.stringMatching(/Redis does not answer: .*ECONNREFUSED.*Start it/),
    UPLOADS_DIR: expect.stringContaining('is not a folder'),
    SMTP_URL: expect.stringMatching(/^smtp:\/\/ada@127.0.0.1:1: .*ECONNREFUSED/),
    PUBLIC_URL: expect.stringContaining('does not lead to a gateway'),
  })
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^5 of \d+ checks failed\.$/)])
  const wrong = await check({ DATABASE_URL: 'mysql://x', PORT: 'many' })
  expect(wrong.failed.map(({ subject }) => subject).sort()).toEqual(['DATABASE_URL', 'PORT'])
})

test('check tells what proxies say of clients.', () => {
  const judge = (address: string, is_secure: boolean, forged: string, trusted: string[] = []) => {
    const config = { TRUSTED_PROXIES: trusted } as unknown as Config
    const url = new URL('https://chat.example.com')
    const [found] = judgeProxies(config, url, { address, is_secure }, { address: forged, is_secure: false })
    return [found?.state, found?.text]
  }
  expect(judge('10.0.0.1', false, '10.0.0.1')).toEqual(['failed', expect.stringContaining('X-Forwarded-Proto')])
  expect(judge('203.0.113.5', true, '192.0.2.77', ['10.0.0.1'])).toEqual([
    'failed',
    expect.stringContaining('can choose the address'),
  ])
  expect(judge('10.0.0.1', true, '192.0.2.77', ['10.0.0.1'])).toEqual(['warning', expect.stringContaining('itself')])
  expect(judge('203.0.113.5', true, '203.0.113.5', ['10.0.0.1'])).toEqual(['ok', expect.any(String)])
})

test('rolling-restart restarts processes in turn, each after the former one is ready.', {
  timeout: 60_000,
}, async () => {
  using folder = newFolder()
  let worker = await startWorker()
  const { operations_url: url, pid } = worker
  const order: string[] = []
  // The command asks the test to restart the process, as systemctl asks systemd.
  const supervisor = createServer(async (request, response) => {
    order.push(request.url ?? '')
    await worker.stop()
    worker = await startWorker({ OPERATIONS_PORT: new URL(url).port })
    response.end()
  })
  await once(supervisor.listen(0, '127.0.0.1'), 'listening')
  const { port } = supervisor.address() as AddressInfo
  const script = join(folder.path, 'restart.mjs')
  writeFileSync(script, `await fetch('http://127.0.0.1:${port}/' + process.argv[2])`)
  const restart = (command: string, timeout: string, ...args: string[]) =>
    runCli(['rolling-restart', ...args, '--with', command, '--pause', '0', '--timeout', timeout], {})
  const two = [`worker=${url}`, `again=${url}`]
  try {
    const done = await restart(`${process.execPath} ${script}`, '30', ...two)
    const stdout = JSON.stringify({ restarted: ['worker', 'again'] })
    expect(done).toEqual({ code: 0, stdout, stderr: 'worker is ready.\nagain is ready.' })
    expect(order).toEqual(['/worker', '/again'])
    expect(worker.pid).not.toBe(pid)
    const stuck = await restart('true', '1', ...two)
    expect(stuck.stderr).toMatch(/^worker is not ready 1 s after .* from before the restart .* Not restarted: again\.$/)
    const broken = await restart('false', '1', ...two)
    expect(broken.stderr).toContain('"false worker" failed with the exit code 1. Not restarted: again.')
    const away = await restart('true', '1', ...two, 'other=http://127.0.0.1:3')
    expect(away.stderr).toMatch(/^other is not ready, so nothing was restarted: .*ECONNREFUSED/)
    expect((await restart('true', '1', 'other')).stderr).toContain("needs the address of its operators' port")
  } finally {
    supervisor.close()
    await worker.stop()
  }
})
