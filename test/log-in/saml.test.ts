/** Log-in with SAML 2.0: who gets which account, and what an attacker cannot do. */
import { createDecipheriv, randomBytes, X509Certificate } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { encrypt } from 'xml-encryption'
import { sessionCookie } from '../setup/log-in/provider-log-in.js'
import {
  type BegunSaml,
  beginSaml,
  composeAnswer,
  composeAssertion,
  composeLogOut,
  composeMetadata,
  composeResponse,
  finishSaml,
  followAnswer,
  inflateMessage,
  makeSamlKey,
  newId,
  postAnswer,
  SAML_ISSUER,
  type SamlKey,
  type SamlScript,
  signElement,
  signQuery,
  takeSignature,
} from '../setup/log-in/saml-provider.js'
import { userOf } from '../setup/log-in/stage.js'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { startGateway } from '../setup/processes/processes.js'
import { anyGateway, call, gateways, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { type RawResponse, sendRequest } from '../setup/requests/raw-request.js'
import { setPassword } from '../setup/web/browser-session.js'

let key: SamlKey
let other: SamlKey
let own: SamlKey
beforeAll(() => {
  ;[key, other, own] = [makeSamlKey(), makeSamlKey(), makeSamlKey()]
})

interface Stage extends AsyncDisposable {
  realm: TestRealm
  owner: Person
  ada: Person
  method: number
  begin(query?: string): Promise<BegunSaml>
  /** a whole log-in with an honest answer that says this */
  enter(script?: SamlScript): Promise<RawResponse>
}

const describeProvider = () => ({
  issuer: SAML_ISSUER,
  sso_url: 'https://idp.example.com/sso',
  slo_url: 'https://idp.example.com/slo?of=1',
  certificates: [key.certificate],
})

/** An organization with an owner and Ada, and a provider with these options. */
const stage = async (options: object = {}, client_secret = ''): Promise<Stage> => {
  const realm = await newRealm()
  const [owner, person] = (await realm.people({ full_name: 'Owner', role: 100 }, { full_name: 'Ada' })) as [
    Person,
    Person,
  ]
  const { id } = await ok<{ id: number }>(owner, 'POST', '/realm/log_in_methods', {
    kind: 'saml',
    name: 'Company',
    client_secret,
    options: { ...describeProvider(), trusts_addresses: true, ...options },
  })
  await realm.realm.barrier()
  const begin = (query = '') => beginSaml(realm.host, id, query)
  return {
    realm,
    owner,
    ada: person,
    method: id,
    begin,
    async enter(script = {}) {
      const begun = await begin()
      return finishSaml(begun, composeAnswer(begun, key, script))
    },
    [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose](),
  }
}

const acts = async ({ owner }: Stage) => {
  const { acts } = await ok<{ acts: { changes: { table: string; after: Record<string, unknown> }[] }[] }>(
    owner,
    'GET',
    '/realm/audit_log',
    { subject: 'log_ins' },
  )
  return acts.flatMap(({ changes }) => changes.filter(({ table }) => table === 'log_ins').map(({ after }) => after))
}

const keyAndCertificate = () => `${own.key}\n${own.certificate}`

describe('Accounts', () => {
  test('A NameID is an identity: linked to the account with its address once, and the same account from then on.', async () => {
    await using s = await stage()
    const first = await s.enter()
    expect([first.status, first.headers.location]).toEqual([302, '/'])
    expect(await userOf(s.realm, sessionCookie(first))).toBe(s.ada.user_id)
    const second = await s.enter({ attributes: { email: s.owner.email } })
    expect(await userOf(s.realm, sessionCookie(second))).toBe(s.ada.user_id)
    expect((await s.enter({ name_id: 'mallory' })).json.msg).toBe(
      'The account ada@example.com belongs to another account of Company.',
    )
    expect(await acts(s)).toMatchObject([
      { result: 'refused' },
      { result: 'entered' },
      { result: 'linked', provider: 'Company' },
    ])
  })

  test('An address counts only if the owner trusts those of the provider, or an attribute says that it is verified.', async () => {
    await using s = await stage({ trusts_addresses: false, verified_claim: 'checked' })
    const email = 'ada@example.com'
    expect((await s.enter()).json.msg).toBe('Company does not confirm that ada@example.com is your address.')
    expect((await s.enter({ attributes: { email, checked: 'no' } })).status).toBe(400)
    expect((await s.enter({ attributes: { email, checked: 'true' } })).status).toBe(302)
  })

  test('Attributes have the names that the owner gives, or well-known ones; the NameID can be the address.', async () => {
    await using named = await stage({
      subject_attribute: 'uid',
      email_attribute: 'post',
      name_attribute: 'called',
      creates_accounts: 'everyone',
    })
    const attributes = { uid: 'bob', post: 'bob@example.com', called: 'Bob B', email: 'ada@example.com' }
    const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
    expect((await named.enter({ attributes, name_id: newId(), format: transient })).status).toBe(302)
    expect((await named.enter({ attributes, name_id: newId(), format: transient })).status).toBe(302)
    await using known = await stage({ creates_accounts: 'everyone' })
    const claims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
    const format = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
    const names = { [`${claims}/givenname`]: 'Bob', [`${claims}/surname`]: 'B' }
    expect((await known.enter({ attributes: names, name_id: 'bob@example.com', format })).status).toBe(302)
    for (const { owner } of [named, known]) {
      const { members } = await ok<{ members: { full_name: string }[] }>(owner, 'GET', '/users')
      expect(members.map(({ full_name }) => full_name)).toContain('Bob B')
    }
    expect((await known.enter({ name_id: newId(), format: transient })).json.msg).toBe(
      'Company names you differently at each log-in (transient NameID).',
    )
  })

  test('A deactivated account is refused, and who creates accounts is respected.', async () => {
    await using s = await stage()
    await s.enter()
    await ok(s.owner, 'DELETE', `/users/${s.ada.user_id}`)
    expect((await s.enter()).json.code).toBe('USER_DEACTIVATED')
    expect((await s.enter({ name_id: 'bob', attributes: { email: 'bob@example.com' } })).json.msg).toBe(
      'There is no account for bob@example.com here. Ask for an invitation to this address.',
    )
  })

  test('Attributes give a role, and take it away again.', async () => {
    const attribute = 'urn:oid:1.3.6.1.4.1.5923.1.1.1.1'
    const roles = [{ attribute, value: 'staff', role: 'moderator' }]
    await using s = await stage({ mapping: { roles, other_role: 'guest' } })
    const email = 'ada@example.com'
    const role = async () => (await ok<{ role: number }>(s.ada, 'GET', '/users/me')).role
    expect((await s.enter({ attributes: { email, [attribute]: 'staff' } })).status).toBe(302)
    expect(await role()).toBe(300)
    expect((await s.enter()).status).toBe(302)
    expect(await role()).toBe(600)
  })

  test('Clients learn of the method, and a mobile and a desktop app come in.', async () => {
    await using s = await stage()
    const { body } = await call(undefined, 'GET', '/server_settings', {}, { host: s.realm.host })
    const login_url = `/accounts/login/external/${s.method}`
    expect(body).toMatchObject({
      external_authentication_methods: [
        { name: `saml:${s.method}`, display_name: 'Company', login_url },
        { name: 'browser' },
      ],
      authentication_methods: { saml: true, 'openid connect': false },
    })
    const otp = randomBytes(32).toString('hex')
    const mobile = await s.begin(`?mobile_flow_otp=${otp}`)
    const answer = await finishSaml(mobile, composeAnswer(mobile, key))
    const { protocol, searchParams } = new URL(answer.headers.location ?? '')
    const encrypted = Buffer.from(searchParams.get('otp_encrypted_api_key') ?? '', 'hex')
    const api_key = encrypted.map((byte, i) => byte ^ (Buffer.from(otp, 'hex')[i] ?? 0))
    expect([protocol, Buffer.from(api_key).toString()]).toEqual(['zulip:', s.ada.api_key])
    const desktop = await s.begin(`?desktop_flow_otp=${otp}`)
    const page = await finishSaml(desktop, composeAnswer(desktop, key))
    const bytes = Buffer.from(/value="([0-9a-f]+)"/.exec(page.text)?.[1] ?? '', 'hex')
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(otp, 'hex'), bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(-16))
    const token = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString()
    const entered = await sendRequest(portOf(anyGateway()), {
      method: 'POST',
      path: '/api/v1/sessions/external',
      host: s.realm.host,
      body: new URLSearchParams({ token }).toString(),
    })
    expect(await userOf(s.realm, sessionCookie(entered))).toBe(s.ada.user_id)
  })
})

/** The refusal of a log-in, which began no session. */
const refusal = (answer: RawResponse) => {
  expect(sessionCookie(answer)).toBe('')
  return [answer.status, answer.json.msg]
}
const notConfirmed = [400, 'Company did not confirm the log-in. Try again.']
const notBegun = [400, 'This log-in did not begin in this browser.']

describe('Attacks on the signature', () => {
  const evil = { name_id: 'mallory', attributes: { email: 'owner@example.com', displayName: 'Mallory' } }

  /** What an attacker makes of the signed assertion of the attacker's own account. */
  const wrapped: [string, (begun: BegunSaml) => string][] = [
    [
      'XSW 1: a forged message, with the signed message in the signature',
      (begun) => {
        const signed = signElement(composeResponse(begun, composeAssertion(begun)), 'Response', key)
        const { signature, rest } = takeSignature(signed)
        const forged = composeResponse(begun, composeAssertion(begun, evil))
        const carried = signature.replace('</Signature>', `${rest}</Signature>`)
        return forged.replace('</saml:Issuer><samlp:Status>', `</saml:Issuer>${carried}<samlp:Status>`)
      },
    ],
    [
      'XSW 2: a forged message, with the signed message beside the signature',
      (begun) => {
        const signed = signElement(composeResponse(begun, composeAssertion(begun)), 'Response', key)
        const { signature, rest } = takeSignature(signed)
        const forged = composeResponse(begun, composeAssertion(begun, evil))
        return forged.replace('</saml:Issuer><samlp:Status>', `</saml:Issuer>${rest}${signature}<samlp:Status>`)
      },
    ],
    [
      'XSW 3: a forged assertion before the signed one',
      (begun) => {
        const signed = composeAnswer(begun, key)
        return signed.replace('<saml:Assertion ', `${composeAssertion(begun, evil)}<saml:Assertion `)
      },
    ],
    [
      'XSW 4: the signed assertion in a forged one',
      (begun) => {
        const signed = composeAnswer(begun, key)
        const inner = /<saml:Assertion .*<\/saml:Assertion>/s.exec(signed)?.[0] ?? ''
        const forged = composeAssertion(begun, evil).replace('</saml:Assertion>', `${inner}</saml:Assertion>`)
        return signed.replace(inner, forged)
      },
    ],
    [
      'XSW 5: the signature in a forged assertion, with the signed one after it',
      (begun) => {
        const { signature, rest } = takeSignature(composeAnswer(begun, key))
        const forged = composeAssertion(begun, evil).replace('</saml:Issuer>', `</saml:Issuer>${signature}`)
        return rest.replace('<saml:Assertion ', `${forged}<saml:Assertion `)
      },
    ],
    [
      'XSW 6: the signature in a forged assertion, with the signed one in the signature',
      (begun) => {
        const { signature, rest } = takeSignature(composeAnswer(begun, key))
        const inner = /<saml:Assertion .*<\/saml:Assertion>/s.exec(rest)?.[0] ?? ''
        const carried = signature.replace('</Signature>', `${inner}</Signature>`)
        const forged = composeAssertion(begun, evil).replace('</saml:Issuer>', `</saml:Issuer>${carried}`)
        return rest.replace(inner, forged)
      },
    ],
    [
      'XSW 7: a forged assertion in extensions',
      (begun) => {
        const signed = composeAnswer(begun, key)
        const forged = `<samlp:Extensions>${composeAssertion(begun, evil)}</samlp:Extensions>`
        return signed.replace('<saml:Assertion ', `${forged}<saml:Assertion `)
      },
    ],
    [
      'XSW 8: the signed assertion in an object of the signature in a forged one',
      (begun) => {
        const { signature, rest } = takeSignature(composeAnswer(begun, key))
        const inner = /<saml:Assertion .*<\/saml:Assertion>/s.exec(rest)?.[0] ?? ''
        const carried = signature.replace('</Signature>', `<Object>${inner}</Object></Signature>`)
        const forged = composeAssertion(begun, evil).replace('</saml:Issuer>', `</saml:Issuer>${carried}`)
        return rest.replace(inner, forged)
      },
    ],
    [
      'two elements with the identifier that is signed',
      (begun) => {
        const id = newId()
        const signed = composeAnswer(begun, key, { id })
        const copy = `<samlp:Extensions><saml:Advice xmlns:saml="urn:x" ID="${id}"/></samlp:Extensions>`
        return signed.replace('<saml:Assertion ', `${copy}<saml:Assertion `)
      },
    ],
    [
      'two signed assertions',
      (begun) => {
        const [one, two] = [composeAnswer(begun, key), composeAnswer(begun, key, { id: newId() })]
        const second = /<saml:Assertion .*<\/saml:Assertion>/s.exec(two)?.[0] ?? ''
        return one.replace('</samlp:Response>', `${second}</samlp:Response>`)
      },
    ],
  ]

  test.each(wrapped)('%s', async (_, compose) => {
    await using s = await stage({ creates_accounts: 'everyone' })
    const begun = await s.begin()
    expect(refusal(await finishSaml(begun, compose(begun)))).toEqual(notConfirmed)
    expect(await acts(s)).toMatchObject([{ result: 'refused' }])
  })

  test.each<[string, (begun: BegunSaml) => string]>([
    ['no signature', (begun) => composeResponse(begun, composeAssertion(begun))],
    [
      'a signature of the message only',
      (begun) => signElement(composeResponse(begun, composeAssertion(begun)), 'Response', key),
    ],
    ['a signature of another key', (begun) => composeAnswer(begun, other)],
    [
      'a signature of another key, and the right certificate in KeyInfo',
      (begun) => composeAnswer(begun, { key: other.key, certificate: key.certificate }),
    ],
    [
      'a signature of another key, whose public key is in KeyInfo',
      (begun) => {
        const jwk = new X509Certificate(other.certificate).publicKey.export({ format: 'jwk' })
        const value = `<KeyValue><RSAKeyValue><Modulus>${jwk.n}</Modulus><Exponent>AQAB</Exponent></RSAKeyValue></KeyValue>`
        return composeAnswer(begun, other).replace(/<X509Data>.*<\/X509Data>/s, value)
      },
    ],
    ['a changed address', (begun) => composeAnswer(begun, key).replace('ada@example.com', 'owner@example.com')],
    ['SHA-1', (begun) => signElement(composeResponse(begun, composeAssertion(begun)), 'Assertion', key, 'sha1')],
    [
      'SHA-1, written with a character reference',
      (begun) =>
        signElement(composeResponse(begun, composeAssertion(begun)), 'Assertion', key, 'sha1').replaceAll(
          'sha1"',
          'sh&#97;1"',
        ),
    ],
    [
      'a shared secret for the public key',
      (begun) =>
        composeAnswer(begun, key).replace(
          'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
          'http://www.w3.org/2000/09/xmldsig#hmac-sha1',
        ),
    ],
    [
      'a transformation that selects what is signed',
      (begun) =>
        composeAnswer(begun, key).replace(
          'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
          'http://www.w3.org/TR/1999/REC-xpath-19991116',
        ),
    ],
    [
      'a reference to the whole document',
      (begun) => composeAnswer(begun, key).replace(/<Reference URI="[^"]*"/, '<Reference URI=""'),
    ],
    [
      'a comment in the NameID',
      (begun) => composeAnswer(begun, key, { name_id: 'ada.evil' }).replace('ada.evil', 'ada<!-- -->.evil'),
    ],
    [
      'a comment in the address',
      (begun) =>
        composeAnswer(begun, key, { attributes: { email: 'ada@example.com.evil.example' } }).replace(
          '.evil.example',
          '<!-- -->.evil.example',
        ),
    ],
    [
      'a CDATA section in the NameID',
      (begun) => composeAnswer(begun, key, { name_id: 'ada' }).replace('>ada<', '><![CDATA[ada]]><'),
    ],
    [
      'a processing instruction in the NameID',
      (begun) => composeAnswer(begun, key, { name_id: 'ada.evil' }).replace('ada.evil', 'ada<?x ?>.evil'),
    ],
    [
      'an external entity (XXE)',
      (begun) =>
        `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${composeAnswer(begun, key).replace('>ada<', '>&x;<')}`,
    ],
    [
      'entities of entities (billion laughs)',
      (begun) => {
        const laughs = Array.from({ length: 12 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`)
        return `<!DOCTYPE r [<!ENTITY l0 "ha">${laughs.join('')}]>${composeAnswer(begun, key).replace('>ada<', '>&l12;<')}`
      },
    ],
    [
      'a parameter entity',
      (begun) => `<!DOCTYPE r [<!ENTITY % x SYSTEM "http://127.0.0.1/x"> %x;]>${composeAnswer(begun, key)}`,
    ],
    ['elements that are too deep', (begun) => composeResponse(begun, '<a>'.repeat(5_000) + '</a>'.repeat(5_000))],
    ['too many elements', (begun) => composeResponse(begun, '<a/>'.repeat(9_000))],
    ['a second root', (begun) => `${composeAnswer(begun, key)}${composeAnswer(begun, key)}`],
    ['no XML', () => 'hello'],
    ['nothing', () => ''],
    ['another message', (begun) => composeLogOut(begun.acs)],
    ['no assertion', (begun) => signElement(composeResponse(begun, ''), 'Response', key)],
    [
      'a name of another namespace for the assertion',
      (begun) => composeAnswer(begun, key).replaceAll('urn:oasis:names:tc:SAML:2.0:assertion', 'urn:x'),
    ],
  ])('An answer with %s is refused.', async (_, compose) => {
    await using s = await stage({ creates_accounts: 'everyone' })
    const begun = await s.begin()
    expect(refusal(await finishSaml(begun, compose(begun)))).toEqual(notConfirmed)
  })

  test('A message is bounded in size.', async () => {
    await using s = await stage()
    const begun = await s.begin()
    expect([400, 413]).toContain((await postAnswer(begun, 'x'.repeat(60_000))).status)
    expect((await postAnswer(begun, 'x'.repeat(2_000_000))).status).toBe(413)
  })

  test('Where the owner wants it, the whole message must be signed too.', async () => {
    await using s = await stage({ wants_signed_response: true })
    const begun = await s.begin()
    expect(refusal(await finishSaml(begun, composeAnswer(begun, key)))).toEqual(notConfirmed)
    const both = await s.begin()
    const answer = await finishSaml(both, signElement(composeAnswer(both, key), 'Response', key))
    expect(await userOf(s.realm, sessionCookie(answer))).toBe(s.ada.user_id)
  })

  test('An encrypted assertion is opened, and must be signed like any other.', async () => {
    await using s = await stage({}, keyAndCertificate())
    const lock = (begun: BegunSaml, assertion: string, keyEncryptionAlgorithm = 'rsa-oaep-mgf1p') =>
      new Promise<string>((resolve, reject) =>
        encrypt(
          assertion,
          {
            rsa_pub: new X509Certificate(own.certificate).publicKey.export({ type: 'spki', format: 'pem' }),
            pem: own.certificate,
            encryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
            keyEncryptionAlgorithm: `http://www.w3.org/2001/04/xmlenc#${keyEncryptionAlgorithm}`,
            warnInsecureAlgorithm: false,
          } as Parameters<typeof encrypt>[1],
          (error: Error | null, result: string | undefined) => (error === null ? resolve(result ?? '') : reject(error)),
        ),
      ).then((data) =>
        composeResponse(
          begun,
          `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${data}</saml:EncryptedAssertion>`,
        ),
      )
    const signed = (begun: BegunSaml, algorithm?: 'sha1') =>
      signElement(composeAssertion(begun), 'Assertion', key, algorithm)
    const begun = await s.begin()
    const answer = await finishSaml(begun, await lock(begun, signed(begun)))
    expect(await userOf(s.realm, sessionCookie(answer))).toBe(s.ada.user_id)
    for (const compose of [
      (one: BegunSaml) => lock(one, composeAssertion(one)),
      (one: BegunSaml) => lock(one, signed(one, 'sha1')),
      (one: BegunSaml) => lock(one, signElement(composeAssertion(one), 'Assertion', other)),
      (one: BegunSaml) => lock(one, signed(one), 'rsa-1_5'),
    ]) {
      const one = await s.begin()
      expect(refusal(await finishSaml(one, await compose(one)))).toEqual(notConfirmed)
    }
  })
})

describe('Attacks on the log-in', () => {
  test.each<[string, SamlScript]>([
    ['another audience', { audience: 'https://chat.evil.example/metadata' }],
    ['another recipient', { recipient: 'https://chat.evil.example/acs' }],
    ['another issuer', { issuer: 'https://idp.evil.example' }],
    ['another way of confirmation', { method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' }],
    ['a time that has passed', { begins: -900, ends: -120 }],
    ['a time to come', { begins: 120 }],
    ['a time of issue long ago', { issued: -3_600 }],
  ])('An assertion with %s is refused.', async (_, script) => {
    await using s = await stage()
    expect(refusal(await s.enter(script))).toEqual(notConfirmed)
  })

  test('A clock that is half a minute wrong does no harm.', async () => {
    await using s = await stage()
    expect((await s.enter({ begins: 30 })).status).toBe(302)
    expect((await s.enter({ begins: -300, ends: -30 })).status).toBe(302)
  })

  test('An assertion for another organization, or another method of this one, is refused.', async () => {
    await using s = await stage()
    await using elsewhere = await stage()
    const { id } = await ok<{ id: number }>(s.owner, 'POST', '/realm/log_in_methods', {
      kind: 'saml',
      name: 'Second',
      options: { ...describeProvider(), trusts_addresses: true },
    })
    const begun = await s.begin()
    const foreign = composeAnswer(await elsewhere.begin(), key)
    expect(refusal(await finishSaml(begun, foreign))).toEqual(notConfirmed)
    const second = await beginSaml(s.realm.host, id)
    expect(refusal(await finishSaml(begun, composeAnswer(second, key)))).toEqual(notConfirmed)
  })

  test('An answer counts in the browser only that made its request.', async () => {
    await using s = await stage()
    const [victim, attacker] = [await s.begin(), await s.begin()]
    // The attacker makes the browser of the victim post the answer to the attacker's log-in.
    const planted = composeAnswer(attacker, key)
    const relay_state = victim.location.searchParams.get('RelayState') ?? ''
    expect(refusal(await finishSaml(attacker, planted, { cookie: victim.cookie }))).toEqual(notBegun)
    expect(refusal(await finishSaml(victim, composeAnswer(attacker, key), { relay_state }))).toEqual(notBegun)
    const without = await s.begin()
    expect((await finishSaml(without, composeAnswer(without, key), { cookie: '' })).status).toBe(400)
    const unknown = await s.begin()
    const answer = composeAnswer(unknown, key, { in_response_to: newId() })
    expect(refusal(await finishSaml(unknown, answer))).toEqual(notBegun)
    // The signature does not cover the message around the assertion.
    const outer = await s.begin()
    const assertion = composeAssertion(outer, { in_response_to: newId() })
    const mixed = signElement(composeResponse(outer, assertion), 'Assertion', key)
    expect(refusal(await finishSaml(outer, mixed))).toEqual(notConfirmed)
  })

  test('An assertion counts once, in whichever gateway, and so does the code of an answer.', async () => {
    await using s = await stage()
    const begun = await s.begin()
    const xml = composeAnswer(begun, key)
    const answers = await Promise.all(gateways().map((url) => postAnswer(begun, xml, { url })))
    expect(answers.map(({ status }) => status).sort()).toEqual([
      303,
      ...gateways()
        .slice(1)
        .map(() => 400),
    ])
    const [accepted] = answers.filter(({ status }) => status === 303) as [RawResponse]
    const ended = await Promise.all([1, 2, 3].map(() => followAnswer(begun, accepted, begun.cookie)))
    expect(ended.filter(({ status }) => status === 302).length).toBe(1)
    for (const url of gateways()) {
      expect(refusal(await postAnswer(begun, xml, { url }))).toEqual([
        400,
        'This log-in has ended already. Begin again.',
      ])
    }
    const rows = await s.realm.sql`select 1 from saml_answers where realm_id = ${s.realm.realm_id}`
    expect(rows.length).toBe(0)
  })

  test('The browser is led to no other site, whatever RelayState says.', async () => {
    await using s = await stage({ starts_at_provider: true })
    const begun = await s.begin('?next=/%23narrow/channel/1')
    const answer = await finishSaml(begun, composeAnswer(begun, key))
    expect(answer.headers.location).toBe('/#narrow/channel/1')
    for (const relay_state of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:x']) {
      const other = await s.begin()
      expect((await finishSaml(other, composeAnswer(other, key), { relay_state })).status).toBe(400)
      const started = await postAnswer(other, composeAnswer(other, key, { in_response_to: '' }), { relay_state })
      const { host, pathname, search } = new URL(started.headers.location ?? '')
      expect([host, pathname, search]).toEqual([`${s.realm.host}:0`, other.path, '?next=%2F'])
    }
  })

  test('A log-in that begins at the provider is refused, or only begins one here, as the owner wants.', async () => {
    await using refused = await stage()
    const one = await refused.begin()
    const unasked = (begun: BegunSaml) => composeAnswer(begun, key, { in_response_to: '' })
    expect(refusal(await postAnswer(one, unasked(one)))).toEqual([400, 'Begin the log-in here, and not at Company.'])
    await using s = await stage({ starts_at_provider: true })
    const begun = await s.begin()
    const started = await postAnswer(begun, unasked(begun), { relay_state: '/#recent' })
    expect([started.status, sessionCookie(started)]).toEqual([303, ''])
    const { pathname, search } = new URL(started.headers.location ?? '')
    const again = await beginSaml(s.realm.host, s.method, search)
    expect(pathname).toBe(again.path)
    const answer = await finishSaml(again, composeAnswer(again, key))
    expect(answer.headers.location).toBe('/#recent')
  })

  test('A provider that is of the same site, whose form carries cookies, ends the log-in too.', async () => {
    await using s = await stage()
    const first = sessionCookie(await s.enter())
    const begun = await s.begin()
    const posted = await postAnswer(begun, composeAnswer(begun, key), { cookie: `${begun.cookie}; ${first}` })
    expect(posted.status).toBe(303)
    const answer = await followAnswer(begun, posted, `${begun.cookie}; ${first}`)
    expect(await userOf(s.realm, sessionCookie(answer))).toBe(s.ada.user_id)
    await expect.poll(() => userOf(s.realm, first)).toBe(401)
  })

  test('A refusal of the provider is told as one.', async () => {
    await using s = await stage()
    const begun = await s.begin()
    const xml = composeResponse(begun, '', { status: 'Requester' })
    expect(refusal(await finishSaml(begun, xml))).toEqual([400, 'Company did not let you log in.'])
    const signed = await s.begin()
    const odd = signElement(
      composeResponse(signed, composeAssertion(signed), { status: 'Responder' }),
      'Assertion',
      key,
    )
    expect(refusal(await finishSaml(signed, odd))).toEqual([400, 'Company did not let you log in.'])
  })
})

describe('Log-out', () => {
  const logOut = (s: Stage, query: string) =>
    sendRequest(portOf(anyGateway()), {
      path: `/accounts/login/external/${s.method}/slo?${query}`,
      host: s.realm.host,
      headers: { Accept: 'application/json' },
    })
  const sloOf = async (s: Stage) => (await s.begin()).acs.replace(/acs$/, 'slo')

  test('The provider ends one session, or all of a user, and gets a signed answer.', async () => {
    await using s = await stage({}, keyAndCertificate())
    const slo = await sloOf(s)
    const [one, two, three] = [
      sessionCookie(await s.enter({ session_index: 'one' })),
      sessionCookie(await s.enter({ session_index: 'two' })),
      sessionCookie(await s.enter({ session_index: 'three' })),
    ]
    const query = signQuery(composeLogOut(slo, { session_index: 'one' }), key)
    const answer = await logOut(s, query)
    const back = new URL(answer.headers.location ?? '')
    expect([answer.status, `${back.origin}${back.pathname}`]).toEqual([303, 'https://idp.example.com/slo'])
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ of: '1', RelayState: 'back' })
    expect(back.searchParams.get('Signature')).toMatch(/^.{300,}$/)
    expect(inflateMessage(back.searchParams.get('SAMLResponse') ?? '')).toContain('status:Success')
    await expect.poll(() => userOf(s.realm, one)).toBe(401)
    expect(await userOf(s.realm, two)).toBe(s.ada.user_id)
    expect((await logOut(s, query)).json.msg).toBe('This request to log out was used before.')
    const signed = signElement(composeLogOut(slo, { session_index: 'two' }), 'LogoutRequest', key, 'sha512')
    const posted = await sendRequest(portOf(anyGateway()), {
      method: 'POST',
      path: `/accounts/login/external/${s.method}/slo`,
      host: s.realm.host,
      headers: { Origin: 'https://idp.example.com' },
      body: new URLSearchParams({ SAMLRequest: Buffer.from(signed).toString('base64') }).toString(),
    })
    expect(posted.status).toBe(303)
    await expect.poll(() => userOf(s.realm, two)).toBe(401)
    expect(await userOf(s.realm, three)).toBe(s.ada.user_id)
    expect((await logOut(s, signQuery(composeLogOut(slo), key))).status).toBe(303)
    await expect.poll(() => userOf(s.realm, three)).toBe(401)
  })

  test.each<[string, (slo: string) => string]>([
    ['without a signature', (slo) => signQuery(composeLogOut(slo), key).replace(/&SigAlg.*/, '')],
    ['signed by another key', (slo) => signQuery(composeLogOut(slo), other)],
    ['signed with SHA-1', (slo) => signQuery(composeLogOut(slo), key, 'sha1')],
    ['for another address', () => signQuery(composeLogOut('https://chat.evil.example/slo'), key)],
    ['of another issuer', (slo) => signQuery(composeLogOut(slo, { issuer: 'https://evil.example' }), key)],
    ['that is old', (slo) => signQuery(composeLogOut(slo, { issued: -3_600 }), key)],
    ['that is there twice', (slo) => `SAMLRequest=x&${signQuery(composeLogOut(slo), key)}`],
    ['with a DTD', (slo) => signQuery(`<!DOCTYPE x>${composeLogOut(slo)}`, key)],
    ['that is not compressed', () => 'SAMLRequest=AAAA&SigAlg=x&Signature=x'],
  ])('A request to log out %s is refused.', async (_, compose) => {
    await using s = await stage()
    const cookie = sessionCookie(await s.enter())
    const answer = await logOut(s, compose(await sloOf(s)))
    expect([answer.status, answer.json.msg]).toEqual(notConfirmed)
    expect(await userOf(s.realm, cookie)).toBe(s.ada.user_id)
  })

  test('A posted request must carry its signature, and nothing else.', async () => {
    await using s = await stage()
    const cookie = sessionCookie(await s.enter())
    const slo = await sloOf(s)
    const honest = signElement(composeLogOut(slo, { name_id: 'mallory' }), 'LogoutRequest', key)
    const { signature, rest } = takeSignature(honest)
    const forged = composeLogOut(slo).replace('</saml:Issuer>', `</saml:Issuer>${signature}`)
    for (const xml of [composeLogOut(slo), signElement(composeLogOut(slo), 'LogoutRequest', other), forged, rest]) {
      const { status } = await sendRequest(portOf(anyGateway()), {
        method: 'POST',
        path: `/accounts/login/external/${s.method}/slo`,
        host: s.realm.host,
        body: new URLSearchParams({ SAMLRequest: Buffer.from(xml).toString('base64') }).toString(),
      })
      expect(status).toBe(400)
    }
    expect(await userOf(s.realm, cookie)).toBe(s.ada.user_id)
  })

  test('A log-out here leads to the log-out of the provider, where the owner wants that.', async () => {
    await using s = await stage({ ends_provider_session: true }, keyAndCertificate())
    const cookie = sessionCookie(await s.enter({ session_index: 'mine' }))
    const request = { host: s.realm.host, headers: { Cookie: cookie } }
    const { json } = await sendRequest(portOf(anyGateway()), { ...request, path: '/api/v1/sessions/current' })
    const ended = await sendRequest(portOf(anyGateway()), {
      ...request,
      method: 'DELETE',
      path: '/api/v1/sessions/current',
      headers: { Cookie: cookie, 'X-CSRF-Token': String(json.csrf_token) },
    })
    const url = new URL(String(ended.json.log_out_url))
    expect(`${url.origin}${url.pathname}`).toBe('https://idp.example.com/slo')
    const xml = inflateMessage(url.searchParams.get('SAMLRequest') ?? '')
    expect(xml).toContain('>mine</')
    expect(xml).toContain('>ada</')
    const back = await logOut(s, 'SAMLResponse=anything&RelayState=https://evil.example')
    expect([back.status, back.headers.location]).toEqual([303, '/'])
  })
})

describe('Setting up', () => {
  /** A server with metadata. */
  const serve = async () => {
    const state = { certificates: [key.certificate], requests: 0 }
    const server = http.createServer((_, response) => {
      state.requests++
      response.end(composeMetadata(state.certificates, 'https://idp.example.com'))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metadata`
    return Object.assign(state, {
      url,
      [Symbol.dispose]: () => {
        server.close()
        server.closeAllConnections()
      },
    })
  }
  const add = (s: Stage, options: object, more: object = {}) =>
    call(s.owner, 'POST', '/realm/log_in_methods', { kind: 'saml', name: 'Other', options, ...more })

  test('Metadata at an address are followed: a new certificate is known at once.', async () => {
    using at = await serve()
    await using s = await stage({ issuer: '', metadata_url: at.url, sso_url: '', slo_url: '', certificates: [] })
    const { log_in_methods } = await ok<{ log_in_methods: { options: object }[] }>(
      s.owner,
      'GET',
      '/realm/log_in_methods',
    )
    expect(log_in_methods[0]?.options).toMatchObject({ issuer: SAML_ISSUER, metadata_url: at.url, certificates: [] })
    const url = anyGateway()
    const first = await s.begin()
    expect((await finishSaml(first, composeAnswer(first, key), { url })).status).toBe(302)
    at.certificates = [other.certificate]
    // Metadata that this gateway read less than a minute ago are not read again.
    const begun = await s.begin()
    expect(refusal(await finishSaml(begun, composeAnswer(begun, other), { url }))).toEqual(notConfirmed)
    const gateway = await startGateway({})
    try {
      const next = await s.begin()
      const answer = await finishSaml(next, composeAnswer(next, other), { url: gateway.url })
      expect(await userOf(s.realm, sessionCookie(answer))).toBe(s.ada.user_id)
    } finally {
      await gateway.stop()
    }
  })

  test('Metadata can be pasted, and two certificates count while a provider changes its key.', async () => {
    await using s = await stage()
    const metadata = composeMetadata([key.certificate, other.certificate], 'https://idp.example.com')
    await ok(s.owner, 'PATCH', `/realm/log_in_methods/${s.method}`, {
      options: { metadata, trusts_addresses: true },
    })
    await s.realm.realm.barrier()
    for (const signing of [key, other]) {
      await expect
        .poll(async () => {
          const begun = await s.begin()
          return userOf(s.realm, sessionCookie(await finishSaml(begun, composeAnswer(begun, signing))))
        })
        .toBe(s.ada.user_id)
    }
  })

  test('Our metadata name our addresses and our certificate, and requests are signed with its key.', async () => {
    await using s = await stage({}, keyAndCertificate())
    const begun = await s.begin()
    const { text, headers } = await sendRequest(portOf(anyGateway()), {
      path: `${begun.path}/metadata`,
      host: s.realm.host,
    })
    expect(headers['content-type']).toBe('application/samlmetadata+xml')
    expect(text).toContain(`entityID="${begun.entity_id}"`)
    expect(text).toContain(`Location="${begun.acs}"`)
    expect(text).toContain(own.certificate.replace(/-----[^-]+-----/g, '').trim())
    expect(text).not.toContain('PRIVATE')
    expect(text.match(/SingleLogoutService [^>]*HTTP-(Redirect|POST)/g)?.length).toBe(2)
    expect(begun.location.searchParams.get('SigAlg')).toBe('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256')
    expect(begun.request).toMatch(/ ID="_[0-9a-f]{40}"/)
    expect(begun.location.searchParams.get('RelayState')).toMatch(/^[\w-]{43}$/)
    expect(begun.location.search).not.toContain(encodeURIComponent(begun.cookie.split('=')[1] ?? '?'))
    const unsigned = await stage()
    expect((await unsigned.begin()).location.searchParams.get('Signature')).toBeNull()
    await unsigned[Symbol.asyncDispose]()
  })

  test('What cannot work is refused at once.', async () => {
    await using s = await stage()
    const notDescribed =
      'These are no metadata of a SAML provider (with IDPSSODescriptor, HTTP-Redirect and a certificate).'
    const weak = makeSamlKey(1_024)
    const needed = 'Enter the metadata of the provider, or its address for log-in and its certificate.'
    const badCertificate = 'The certificate of the provider must be X.509 in PEM, with an RSA key of 2048 bits or more.'
    const badKey =
      'The key of this server must be a private RSA key of 2048 bits or more and its certificate, both in PEM.'
    for (const [options, msg, more] of [
      [{}, needed],
      [{ metadata: '<x/>' }, notDescribed],
      [{ metadata: '<!DOCTYPE x [<!ENTITY y "z">]><x/>' }, notDescribed],
      [{ metadata_url: 'http://127.0.0.1:9/' }, notDescribed],
      [{ ...describeProvider(), certificates: [weak.certificate] }, badCertificate],
      [{ ...describeProvider(), certificates: ['x'] }, badCertificate],
      [describeProvider(), badKey, { client_secret: own.key }],
      [describeProvider(), badKey, { client_secret: `${own.key}${other.certificate}` }],
      [{ ...describeProvider(), unknown: 1 }, 'The option unknown of the log-in provider is not valid.'],
      [{ ...describeProvider(), issuer: '' }, 'The option issuer of the log-in provider is not valid.'],
      [{ ...describeProvider(), sso_url: 'ftp://x' }, 'The option sso_url of the log-in provider is not valid.'],
    ] as [object, string, object?][]) {
      const { status, body } = await add(s, options, more)
      expect([status, body.msg]).toEqual([400, msg])
    }
    const log = await call(s.owner, 'GET', '/realm/audit_log')
    expect(JSON.stringify(log.body)).not.toContain('PRIVATE KEY')
  })

  test('A provider of OpenID Connect has no SAML, and the other way round.', async () => {
    await using s = await stage()
    const none = 'The organization has no such way to log in any more.'
    const { json } = await sendRequest(portOf(anyGateway()), {
      method: 'POST',
      path: `/accounts/login/external/${s.method}/backchannel_logout`,
      host: s.realm.host,
      headers: { Accept: 'application/json' },
      body: 'logout_token=x',
    })
    expect(json.msg).toBe(none)
    await setPassword(s.realm, s.ada)
    await ok(s.owner, 'PATCH', '/realm', { authentication_methods: { SAML: false } })
    await expect
      .poll(async () => {
        const answer = await sendRequest(portOf(anyGateway()), {
          path: `/accounts/login/external/${s.method}/metadata`,
          host: s.realm.host,
          headers: { Accept: 'application/json' },
        })
        return answer.json.msg
      })
      .toBe(none)
  })

  test('A provider of the operator speaks SAML.', async () => {
    await using s = await stage()
    const LOG_IN_METHODS = JSON.stringify([
      { key: 'company', kind: 'saml', name: 'Everywhere', ...describeProvider(), trusts_addresses: true },
    ])
    const gateway = await startGateway({ LOG_IN_METHODS })
    try {
      const { body } = await call(undefined, 'GET', '/server_settings', {}, { host: s.realm.host, url: gateway.url })
      expect(body.external_authentication_methods).toMatchObject([
        { name: 'saml:company' },
        { name: `saml:${s.method}` },
        { name: 'browser' },
      ])
    } finally {
      await gateway.stop()
    }
  })
})
