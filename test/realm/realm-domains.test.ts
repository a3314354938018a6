/**
 * The domains of an organization: permissions, events, and the email addresses that they admit. Source:
 * protocol/endpoints.md 3.11.
 */
import { describe, expect, test } from 'vitest'
import { loadState } from '../../src/store/log/row-tables.js'
import { testDeployment } from '../setup/realm/deployment.js'
import { listen } from '../setup/realm/event-listener.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'

const setUp = () => newRealmWith('Owner', 'Admin', 'Guest')

const add = (person: Person, domain: string, allow_subdomains = false) =>
  call(person, 'POST', '/realm/domains', { domain, allow_subdomains })

const list = async (person: Person) => (await ok(person, 'GET', '/realm/domains')).domains

const refusal = async (answer: ReturnType<typeof call>) => {
  const { status, body } = await answer
  return `${status} ${body.code}: ${body.msg}`
}

describe('The domains of an organization', () => {
  test('An owner can add, change and remove domains, and a guest receives the events.', async () => {
    await using s = await setUp()
    const listener = await listen(s.guest, { event_types: ['realm_domains', 'realm'] })
    expect((await add(s.owner, ' Example.COM ')).body).toEqual({
      result: 'success',
      msg: '',
      new_domain: [1, 'example.com'],
    })
    expect((await add(s.owner, 'acme.org', true)).body.new_domain).toEqual([2, 'acme.org'])
    await ok(s.owner, 'PATCH', '/realm/domains/example.com', { allow_subdomains: true })
    // A repeated value sends no event.
    await ok(s.owner, 'PATCH', '/realm/domains/example.com', { allow_subdomains: true })
    const both = [
      { domain: 'example.com', allow_subdomains: true },
      { domain: 'acme.org', allow_subdomains: true },
    ]
    expect(await list(s.guest)).toEqual(both)
    expect((await ok(s.guest, 'POST', '/register', { fetch_event_types: ['realm_domains'] })).realm_domains).toEqual(
      both,
    )
    // A replica that loads the state after the change has the same domains in the same order.
    const loaded = await s.realm.sql.begin((tx) => loadState(tx, testDeployment(), s.realm.realm_id))
    expect([...(loaded?.domains.values() ?? [])].map(({ domain }) => domain)).toEqual(['example.com', 'acme.org'])
    await ok(s.owner, 'DELETE', '/realm/domains/example.com')
    expect(await list(s.admin)).toEqual([{ domain: 'acme.org', allow_subdomains: true }])
    const received = (await listener.events()).map(({ id: _, type: __, ...rest }) => rest)
    expect(received).toEqual([
      { op: 'add', realm_domain: { domain: 'example.com', allow_subdomains: false } },
      { op: 'add', realm_domain: { domain: 'acme.org', allow_subdomains: true } },
      { op: 'change', realm_domain: { domain: 'example.com', allow_subdomains: true } },
      { op: 'remove', domain: 'example.com' },
    ])
  })

  test('An administrator cannot add, change or remove domains.', async () => {
    await using s = await setUp()
    const msg = '400 UNAUTHORIZED_PRINCIPAL: Only owners of the organization may do this.'
    expect(await refusal(add(s.admin, 'example.com'))).toBe(msg)
    expect(await refusal(call(s.admin, 'PATCH', '/realm/domains/x.y', { allow_subdomains: true }))).toBe(msg)
    expect(await refusal(call(s.admin, 'DELETE', '/realm/domains/x.y'))).toBe(msg)
  })

  test.each(['', 'example', '.example.com', 'example..com', 'exa mple.com', '-a.com', 'a-.com', 'bücher.de', 'a@b.c'])(
    'The server refuses the domain "%s".',
    async (domain) => {
      await using s = await setUp()
      expect(await refusal(add(s.owner, domain))).toMatch(/^400 BAD_REQUEST: This is not a domain: ./)
    },
  )

  test('The server refuses to add a domain twice and to change or remove an unknown domain.', async () => {
    await using s = await setUp()
    await add(s.owner, 'example.com')
    expect(await refusal(add(s.owner, 'EXAMPLE.com'))).toBe(
      '400 BAD_REQUEST: The organization has the domain example.com already.',
    )
    const none = '400 BAD_REQUEST: The organization does not have the domain acme.org.'
    expect(await refusal(call(s.owner, 'PATCH', '/realm/domains/acme.org', { allow_subdomains: true }))).toBe(none)
    expect(await refusal(call(s.owner, 'DELETE', '/realm/domains/acme.org'))).toBe(none)
    expect(await refusal(call(s.owner, 'PATCH', '/realm/domains/example.com'))).toBe(
      '400 REQUEST_VARIABLE_MISSING: The parameter allow_subdomains is required.',
    )
    expect(await refusal(call(s.owner, 'POST', '/realm/domains', { domain: 'a.b' }))).toBe(
      '400 REQUEST_VARIABLE_MISSING: The parameter allow_subdomains is required.',
    )
  })
})

describe('Restricting email addresses to domains', () => {
  const restricted = async () => {
    const s = await setUp()
    await add(s.owner, 'example.com')
    await add(s.owner, 'acme.org', true)
    await ok(s.owner, 'PATCH', '/realm', { emails_restricted_to_domains: true })
    return s
  }
  const unfit = {
    'ada@elsewhere.com': 'The organization does not accept the domain of this address.',
    'ada@sub.example.com': 'The organization does not accept the domain of this address.',
    'ada@notacme.org': 'The organization does not accept the domain of this address.',
    'ada+x@example.com': 'Email addresses with a plus sign are not accepted here.',
  }
  const fit = ['ada@EXAMPLE.com', 'grace@acme.org', 'mary@sub.sub.acme.org']

  test('Users can invite email addresses of these domains and no others.', async () => {
    await using s = await restricted()
    const asked = { invitee_emails: Object.keys(unfit).join(), stream_ids: [] }
    const { body } = await call(s.admin, 'POST', '/invites', asked)
    expect(body).toMatchObject({
      code: 'INVITATION_FAILED',
      sent_invitations: false,
      errors: Object.entries(unfit).map(([email, reason]) => [email, reason, false]),
    })
    await ok(s.admin, 'POST', '/invites', { invitee_emails: fit.join(), stream_ids: [] })
  })

  test('New users and changed email addresses must belong to these domains.', async () => {
    await using s = await restricted()
    const create = (email: string) =>
      call(s.admin, 'POST', '/users', { email, full_name: 'Somebody', password: 'correct horse battery staple' })
    expect((await create('ada@elsewhere.com')).body.msg).toBe(
      'The organization does not accept the domain of ada@elsewhere.com.',
    )
    expect((await create('ada+x@example.com')).body.msg).toBe('Email addresses with a plus sign are not accepted here.')
    for (const email of fit) expect((await create(email)).status).toBe(200)
    const changeEmail = (new_email: string) => call(s.admin, 'PATCH', `/users/${s.guest.user_id}`, { new_email })
    for (const [email, msg] of Object.entries(unfit)) expect((await changeEmail(email)).body.msg).toBe(msg)
    expect((await changeEmail('guest@x.acme.org')).status).toBe(200)
  })

  test('The restriction ends when the last domain is removed.', async () => {
    await using s = await restricted()
    const listener = await listen(s.admin, { event_types: ['realm_domains', 'realm'] })
    await ok(s.owner, 'DELETE', '/realm/domains/acme.org')
    await ok(s.owner, 'DELETE', '/realm/domains/example.com')
    expect((await listener.events()).map(({ id: _, ...event }) => event)).toEqual([
      { type: 'realm_domains', op: 'remove', domain: 'acme.org' },
      { type: 'realm_domains', op: 'remove', domain: 'example.com' },
      { type: 'realm', op: 'update', property: 'emails_restricted_to_domains', value: false },
    ])
    await ok(s.admin, 'POST', '/invites', { invitee_emails: 'ada@elsewhere.com', stream_ids: [] })
  })
})
