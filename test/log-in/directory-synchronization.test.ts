/** What runs of the synchronization with a directory change of accounts, and when they change nothing. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { parseDirectories } from '../../src/domain/log-in/directories.js'
import { normalizeDn, resolveGroups } from '../../src/domain/log-in/directory-mapping.js'
import { readPerson } from '../../src/domain/log-in/directory-people.js'
import {
  BASE,
  dnOf,
  findSlapd,
  GROUPS,
  pictureChange,
  READER,
  READER_PASSWORD,
  type RunningSlapd,
  startSlapd,
  textChange,
} from '../setup/log-in/slapd.js'
import { runCli } from '../setup/processes/cli.js'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { type OwnFleet, startOwnFleet } from '../setup/processes/own-fleet.js'
import { startWorker } from '../setup/processes/processes.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { anyGateway, call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { sendRequest } from '../setup/requests/raw-request.js'
import { openSocket } from '../setup/requests/socket.js'

const slapd = findSlapd()
const name =
  slapd === undefined ? 'Synchronization (skipped: there is no slapd and no apt-get to unpack it)' : 'Synchronization'

interface Run {
  code: number
  stderr: string
  printed: Record<string, unknown>
}

interface Stage extends AsyncDisposable {
  realm: TestRealm
  owner: Person
  people: Person[]
  /** the directories, and the services of a fleet, as processes get them */
  env: Record<string, string>
  /** a gateway */
  url: string
  place: string
  /** Runs the command, and waits until workers have done what it began. */
  run(...options: string[]): Promise<Run>
  user(person: Person): Promise<Record<string, unknown>>
}

let places = 0

describe.skipIf(slapd === undefined)(name, { timeout: 120_000 }, () => {
  let directory: RunningSlapd
  beforeAll(async () => {
    if (slapd !== undefined) directory = await startSlapd(slapd)
  })
  afterAll(() => directory?.[Symbol.asyncDispose]())

  /** An organization with an owner and accounts for people of a place of its own. */
  const stage = async (
    uids: readonly string[],
    synchronization: object = {},
    more: object = {},
    fleet?: OwnFleet,
  ): Promise<Stage> => {
    const place = await directory.addPlace(`place${++places}`)
    await directory.addPeople(
      uids.map((uid) => ({ uid, mail: `${uid}@example.com` })),
      place,
    )
    const realm = fleet?.realm ?? (await newRealm())
    const url = fleet?.gateway.url ?? anyGateway()
    const [owner, ...people] = (await realm.people(
      { full_name: 'Owner', role: 100 },
      ...uids.map((uid) => ({ full_name: uid, email: `${uid}@example.com` })),
    )) as [Person, ...Person[]]
    const string_id = realm.realm.state.realm.string_id
    const LDAP_DIRECTORIES = JSON.stringify([
      {
        key: 'company',
        name: 'Company',
        url: directory.url,
        ca_file: directory.ca_file,
        bind_dn: READER,
        bind_password: READER_PASSWORD,
        base_dn: place,
        group_base_dn: GROUPS,
        organizations: [string_id],
        attributes: { picture: '' },
        synchronization: { minutes: 0, ...synchronization },
        ...more,
      },
    ])
    const services = fleet && { DATABASE_URL: fleet.database_url, REDIS_URL: fleet.redis.url }
    const env = { ...inject('process_env'), ...services, LDAP_DIRECTORIES }
    return {
      realm,
      owner,
      people,
      env: { ...services, LDAP_DIRECTORIES },
      url,
      place,
      async run(...options) {
        const { code, stdout, stderr } = await runCli(['synchronize-directory', string_id, 'company', ...options], env)
        await waitForJobs(realm, 60_000)
        return { code, stderr, printed: code === 0 ? JSON.parse(stdout) : {} }
      },
      async user({ user_id }) {
        const { user } = await ok<{ user: Record<string, unknown> }>(owner, 'GET', `/users/${user_id}`, {}, { url })
        return user
      },
      [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose](),
    }
  }

  const uids = (count: number, prefix = 'p') =>
    Array.from({ length: count }, (_, i) => `${prefix}${String(i).padStart(3, '0')}`)

  test('A run takes over names, addresses, roles and nested groups of 500 people; a dry run changes nothing.', async () => {
    const group = (cn: string) => `cn=${cn},${GROUPS}`
    const memberOf = (cn: string) => ({ attribute: 'memberOf', value: group(cn).toUpperCase().replace(',', ' , ') })
    await using s = await stage(uids(500), {
      mapping: {
        roles: [{ ...memberOf('admins'), role: 'administrator' }],
        other_role: 'member',
        groups: [{ ...memberOf('outer'), group: 'engineering' }],
      },
    })
    const { group_id } = await ok<{ group_id: number }>(s.owner, 'POST', '/user_groups/create', {
      name: 'engineering',
      description: '',
      members: [s.owner.user_id],
    })
    // More than a page, and more than the server answers without pages.
    await directory.addPeople(
      uids(600, 'x').map((uid) => ({ uid })),
      s.place,
    )
    expect((await s.run('--dry-run')).printed).toMatchObject({ people: 1_100, linked: 500, accounts: [], notes: [] })
    expect((await s.run()).printed).toMatchObject({ links: 500, accounts: 0 })
    const member = JSON.stringify([s.people[30]?.user_id])
    await ok(s.owner, 'POST', `/user_groups/${group_id}/members`, { add: member })
    await directory.change(async (client) => {
      const add = (cn: string, member: string[]) => client.add(group(cn), { objectClass: 'groupOfNames', cn, member })
      await add('admins', [dnOf('p001', s.place)])
      await add('inner', [dnOf('p010', s.place), dnOf('p011', s.place), group('outer')])
      await add('outer', [group('inner'), dnOf('p020', s.place)])
      for (const uid of uids(500)) await client.modify(dnOf(uid, s.place), textChange('cn', `Renamed ${uid}`))
      await client.modify(dnOf('p002', s.place), textChange('mail', 'new.p002@example.com'))
      await client.modify(dnOf('p003', s.place), textChange('cn', '@bad'))
    })
    await s.realm.realm.catchUp()
    const [p001, p002, p003] = s.people.slice(1, 4) as [Person, Person, Person]

    const dry = await s.run('--dry-run')
    expect(dry.stderr).toBe('')
    const { accounts, groups, notes } = dry.printed as Record<string, unknown[]>
    expect(accounts).toHaveLength(499)
    expect(accounts).toContainEqual({ account: p001.email, full_name: 'Renamed p001', role: 'administrator' })
    expect(accounts).toContainEqual({ account: p002.email, full_name: 'Renamed p002', email: 'new.p002@example.com' })
    expect(groups).toEqual([
      {
        group: 'engineering',
        add: ['p010', 'p011', 'p020'].map((uid) => `${uid}@example.com`),
        remove: ['p030@example.com'],
      },
    ])
    expect(notes).toEqual([`${p003.email}: The name contains characters that are not allowed in names.`])
    expect(await s.user(p001)).toMatchObject({ full_name: 'p001', role: 400 })

    expect((await s.run()).stderr).toBe('')
    expect(await s.user(p001)).toMatchObject({ full_name: 'Renamed p001', role: 200 })
    expect(await s.user(p002)).toMatchObject({ delivery_email: 'new.p002@example.com' })
    expect(await s.user(p003)).toMatchObject({ full_name: 'p003' })
    const { user_groups } = await ok<{ user_groups: { id: number; members: number[] }[] }>(
      s.owner,
      'GET',
      '/user_groups',
    )
    const wanted = [10, 11, 20].map((i) => s.people[i]?.user_id ?? 0)
    expect(user_groups.find(({ id }) => id === group_id)?.members.sort((a, b) => a - b)).toEqual([
      s.owner.user_id,
      ...wanted,
    ])
    const { acts } = await ok<{ acts: { action: string }[] }>(s.owner, 'GET', '/realm/audit_log', { subject: 'users' })
    expect(acts[0]?.action).toBe('synchronization ldap:company')
    // Nothing is left to do.
    expect((await s.run('--dry-run')).printed).toMatchObject({ links: [], accounts: [], groups: [], linked: 500 })
  })

  test('An account ends with its person, its sockets close, and it comes back with the person only.', async () => {
    await using s = await stage(
      uids(4),
      { most_deactivated_percent: 60 },
      {
        attributes: { picture: '', disabled: 'employeeType' },
      },
    )
    const [gone, disabled, banned, stays] = s.people as [Person, Person, Person, Person]
    await s.run()
    await ok(s.owner, 'DELETE', `/users/${banned.user_id}`)
    await using first = await openSocket(gone)
    await using second = await openSocket(disabled)
    await using third = await openSocket(stays)
    await directory.change(async (client) => {
      await client.del(dnOf('p000', s.place))
      await client.modify(dnOf('p001', s.place), textChange('employeeType', 'TRUE'))
    })
    // Renamed and moved: the same person nevertheless.
    await directory.change((client) => client.modifyDN(dnOf('p003', s.place), 'uid=other'))
    expect((await s.run()).stderr).toContain('more than 60 percent')
    expect((await s.run('--force')).stderr).toBe('')
    expect([await first.closed, await second.closed].every((code) => code >= 4500)).toBe(true)
    expect((await third.call('GET', '/users/me')).status).toBe(200)
    const active = async () => Promise.all(s.people.map(async (person) => (await s.user(person)).is_active))
    expect(await active()).toEqual([false, false, false, true])
    await expect.poll(() => call(gone, 'GET', '/users/me').then(({ status }) => status)).toBe(401)
    expect(
      await s.realm.sql`select from event_queues where realm_id = ${s.realm.realm_id} and user_id = ${gone.user_id}`,
    ).toHaveLength(0)

    await directory.change((client) => client.modify(dnOf('p001', s.place), textChange('employeeType', 'FALSE')))
    expect((await s.run()).stderr).toBe('')
    expect(await active()).toEqual([false, true, false, true])
    expect((await call(disabled, 'GET', '/users/me')).status).toBe(200)
  })

  test('A run that would deactivate more than a tenth of the accounts stops, changes nothing, and says so.', async () => {
    await using s = await stage(uids(10))
    await s.run()
    await directory.change(async (client) => {
      await client.del(dnOf('p000', s.place))
      await client.del(dnOf('p001', s.place))
      await client.modify(dnOf('p002', s.place), textChange('cn', 'Renamed'))
    })
    const reason = 'The run would deactivate 2 of 10 accounts, more than 10 percent.'
    expect((await s.run('--dry-run')).printed).toMatchObject({ stop: reason })
    const stopped = await s.run()
    expect([stopped.code, stopped.stderr]).toEqual([1, expect.stringContaining(`${reason} Nothing was changed.`)])
    expect(await s.user(s.people[0] as Person)).toMatchObject({ is_active: true })
    expect(await s.user(s.people[2] as Person)).toMatchObject({ full_name: 'p002' })
    const { acts } = await ok<{ acts: { changes: { after: object }[] }[] }>(s.owner, 'GET', '/realm/audit_log', {
      subject: 'log_ins',
    })
    expect(acts[0]?.changes).toMatchObject([{ after: { result: 'refused', reason, provider: 'Company' } }])
    await using worker = await startWorker(s.env)
    const { text } = await sendRequest(portOf(worker.operations_url), { path: '/metrics' })
    expect(text).toMatch(/^parley_directory_runs\{result="stopped"\} [1-9]/m)

    expect((await s.run('--force')).stderr).toBe('')
    expect(await s.user(s.people[0] as Person)).toMatchObject({ is_active: false })
    expect(await s.user(s.people[2] as Person)).toMatchObject({ full_name: 'Renamed' })
  })

  test('The last owner stays an owner with an account, also if the operator lets the run go on.', async () => {
    const mapping = { roles: [{ attribute: 'title', value: 'boss', role: 'owner' }], other_role: 'member' }
    await using s = await stage(uids(3), { most_deactivated_percent: 100, mapping })
    const [boss] = s.people as [Person]
    await directory.change((client) => client.modify(dnOf('p000', s.place), textChange('title', 'boss')))
    await s.run()
    expect(await s.user(boss)).toMatchObject({ role: 100 })
    await ok(boss, 'PATCH', `/users/${s.owner.user_id}`, { role: 400 })
    await directory.change((client) => client.modify(dnOf('p000', s.place), textChange('title', 'clerk')))
    expect((await s.run()).stderr).toContain('without an owner')
    await directory.change((client) => client.del(dnOf('p000', s.place)))
    expect((await s.run()).stderr).toContain('without an owner')
    const forced = await s.run('--force')
    expect(forced.printed.notes).toEqual([`${boss.email}: the last owner stays`])
    const { user } = await ok<{ user: object }>(s.people[1] as Person, 'GET', `/users/${boss.user_id}`)
    expect(user).toMatchObject({ is_active: true, role: 100 })
  })

  test('A picture of the directory becomes the avatar, through the same checks as an upload.', async () => {
    // Other workers of the tests do not have the directory: they would leave the jobs to each other.
    await using fleet = await startOwnFleet()
    const s = await stage(uids(3), {}, { attributes: {} }, fleet)
    const background = { r: 200, g: 10, b: 10 }
    const picture = await sharp({ create: { width: 64, height: 48, channels: 3, background } })
      .jpeg()
      .toBuffer()
    await directory.change(async (client) => {
      await client.modify(dnOf('p000', s.place), pictureChange(picture))
      await client.modify(dnOf('p001', s.place), pictureChange(Buffer.from('\xff\xd8 no picture', 'latin1')))
    })
    await using _worker = await startWorker(s.env)
    const [first, broken, none] = s.people as [Person, Person, Person]
    expect((await s.run()).printed).toMatchObject({ pictures: 2 })
    const avatar = async (person: Person) => String((await s.user(person)).avatar_url)
    const url = await avatar(first)
    const stored = await sendRequest(portOf(s.url), {
      path: url,
      host: s.realm.host,
    })
    expect([stored.status, stored.headers['content-type']]).toEqual([200, 'image/png'])
    expect(await sharp(stored.bytes).metadata()).toMatchObject({ width: 100, height: 100 })
    const drawn = await avatar(none)
    expect((await avatar(broken)).split('/').slice(0, 3)).toEqual(drawn.split('/').slice(0, 3))
    // Neither is loaded again.
    expect((await s.run()).printed).toMatchObject({ pictures: 0 })
    await directory.change((client) => client.modify(dnOf('p000', s.place), textChange('jpegPhoto')))
    expect((await s.run()).printed).toMatchObject({ pictures: 1 })
    expect(await avatar(first)).not.toBe(url)
  })

  test('Two workers synchronize a directory once.', async () => {
    await using fleet = await startOwnFleet()
    const s = await stage(uids(5), { minutes: 1_000 }, {}, fleet)
    await directory.change((client) => client.modify(dnOf('p000', s.place), textChange('cn', 'Renamed')))
    await using _first = await startWorker(s.env)
    await using _second = await startWorker(s.env)
    await expect.poll(async () => (await s.user(s.people[0] as Person)).full_name, { timeout: 60_000 }).toBe('Renamed')
    const rows = await s.realm.sql`
      select kind from jobs where realm_id = ${s.realm.realm_id} and kind like 'directory%' order by id`
    expect(rows.map(({ kind }) => kind)).toEqual(['directory_run', 'directory_changes'])
    const [run] = await s.realm.sql`select result from directory_runs where realm_id = ${s.realm.realm_id}`
    expect(run).toEqual({ result: 'done' })
  })

  test('A directory that is away changes nothing, and the run has failed.', async () => {
    await using fleet = await startOwnFleet()
    const s = await stage(uids(2), { minutes: 1_000 }, { url: 'ldap://127.0.0.1:1' }, fleet)
    expect((await s.run()).stderr).toContain('the directory ldap:company failed')
    await using _worker = await startWorker(s.env)
    const read = () => s.realm.sql`select result from directory_runs where realm_id = ${s.realm.realm_id}`
    await expect.poll(async () => (await read())[0]?.result, { timeout: 60_000 }).toBe('failed')
    expect(await s.user(s.people[0] as Person)).toMatchObject({ is_active: true })
  })
})

describe('Active Directory', () => {
  const [directory] = parseDirectories(
    JSON.stringify([
      { key: 'ad', name: 'AD', kind: 'active_directory', url: 'ldaps://dc1.example.com', base_dn: 'dc=example,dc=com' },
    ]),
  )
  const entry = (values: Record<string, string | Buffer>) => ({
    dn: `cn=Ada,${BASE}`,
    values: new Map(Object.entries(values).map(([key, value]) => [key.toLowerCase(), [value]])),
  })

  test('People are known by the bytes of objectGUID, and the bit 2 of userAccountControl disables them.', () => {
    if (directory === undefined) throw new Error('there is no directory')
    const guid = { objectGUID: Buffer.from('00112233445566778899aabbccddeeff', 'hex') }
    const read = (userAccountControl: string) => readPerson(directory, entry({ ...guid, userAccountControl }))
    expect(read('512')).toMatchObject({ subject: '00112233445566778899aabbccddeeff', isDisabled: false })
    expect(read('514')).toMatchObject({ isDisabled: true })
    expect(readPerson(directory, entry({ mail: 'ada@example.com' }))).toBeUndefined()
  })

  test('Groups in groups are followed, also in a circle.', () => {
    const parents = new Map([
      ['ada', new Set(['inner'])],
      ['inner', new Set(['outer'])],
      ['outer', new Set(['inner', 'all'])],
    ])
    expect([...resolveGroups('ada', parents)].sort()).toEqual(['all', 'inner', 'outer'])
    expect(normalizeDn('CN=Ada\\, the first , OU = People,DC=example')).toBe('cn=ada\\, the first,ou=people,dc=example')
  })
})
