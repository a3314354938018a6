/**
 * The forms of a user for each viewer, and the rules for names and email addresses. Tests of pure functions, without a
 * server.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isNamed, viewerNow } from '../../src/domain/log/audience.js'
import { plainProfile } from '../../src/domain/log/profile.js'
import { Role } from '../../src/domain/log/rows.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { composeDrawnPath } from '../../src/domain/users/drawn-pictures.js'
import { validateEmail, validateFullName } from '../../src/domain/users/name-and-email-rules.js'
import { collectContacts, contactSources, groupViewers, isRestrictedGuest } from '../../src/domain/users/user-access.js'
import { composeUserAddData, realmUserAdd } from '../../src/domain/users/user-entries.js'
import {
  apiEmail,
  avatarUrl,
  canSeeAddress,
  composeUser,
  composeUserForSpectator,
  type UserView,
  unknownUser,
  userJson,
  userObject,
} from '../../src/domain/users/users.js'
import { StateBuilder } from '../setup/realm/state-builder.js'

const roles = Object.values(Role)
const view: UserView = { address: true, client_gravatar: false, profile_data: true }

describe('Visibility of the real email address', () => {
  const shownTo = (email_address_visibility: number) => {
    const build = new StateBuilder()
    const owner = build.user({ settings: { email_address_visibility } })
    return roles.filter((role) => canSeeAddress({ id: 99, role }, owner))
  }

  test('The roles that a user chose see the email address.', () => {
    expect(shownTo(1)).toEqual([100, 200, 300, 400, 600])
    expect(shownTo(2)).toEqual([100, 200, 300, 400])
    expect(shownTo(5)).toEqual([100, 200, 300])
    expect(shownTo(3)).toEqual([100, 200])
    expect(shownTo(4)).toEqual([])
  })

  test('A user sees their own email address, and a guest sees that of a bot.', () => {
    const build = new StateBuilder()
    const hidden = build.user({ settings: { email_address_visibility: 4 } })
    const bot = build.user({ is_bot: true, settings: { email_address_visibility: 4 } })
    expect(canSeeAddress(hidden, hidden)).toBe(true)
    expect(canSeeAddress({ id: 99, role: Role.guest }, bot)).toBe(true)
  })

  test('The real email address is the API address only if all users may see it.', () => {
    const build = new StateBuilder()
    const open = build.user({ delivery_email: 'Ada@Example.com' })
    const hidden = build.user({ id: 7, settings: { email_address_visibility: 2 } })
    expect(apiEmail(open, 'acme.test')).toBe('Ada@Example.com')
    expect(apiEmail(hidden, 'acme.test')).toBe('user7@acme.test')
  })
})

describe('The user object', () => {
  const build = new StateBuilder()
  const ada = build.user({ date_joined: 1_735_787_045, timezone: 'Europe/London' })
  const bot = build.user({ is_bot: true, bot_type: 1, bot_owner_id: ada.id })

  test('The object of a human user has no owner, a bot type of null, and profile data.', () => {
    const object = composeUser(ada, view)
    expect(object).toMatchObject({ bot_type: null, profile_data: {}, timezone: 'Europe/London' })
    expect(object).not.toHaveProperty('bot_owner_id')
    expect(object).not.toHaveProperty('is_system_bot')
  })

  test('The object of a bot has an owner and no profile data.', () => {
    expect(composeUser(bot, view)).toMatchObject({ is_bot: true, bot_type: 1, bot_owner_id: ada.id })
    expect(composeUser(bot, view)).not.toHaveProperty('profile_data')
  })

  test('The object contains the minute of joining, and for a spectator only the day and no email address.', () => {
    expect(composeUser(ada, view).date_joined).toBe('2025-01-02T03:04+00:00')
    const seen = composeUserForSpectator(ada, 'acme.test')
    expect(seen).toMatchObject({
      date_joined: '2025-01-02T00:00+00:00',
      timezone: '',
      delivery_email: null,
      email: `user${ada.id}@acme.test`,
    })
    expect(seen).not.toHaveProperty('profile_data')
  })

  test('The object omits an avatar that the client can compute from a visible email address.', () => {
    const shown = build.user({ uses_gravatar: true })
    expect(composeUser(shown, { ...view, client_gravatar: true }).avatar_url).toBeNull()
    expect(composeUser(shown, { ...view, client_gravatar: true, address: false }).avatar_url).toMatch(/^https:/)
    expect(composeUser(ada, { ...view, client_gravatar: true }).avatar_url).toBe(
      `/user_avatars/${composeDrawnPath(ada, false)}`,
    )
    const uploaded = build.user({ avatar_source: 'U', avatar_version: 3, uses_gravatar: true })
    expect(composeUser(uploaded, { ...view, client_gravatar: true }).avatar_url).toContain('version=3')
  })

  test('The hash in the avatar URL does not reveal a hidden email address.', () => {
    const hidden = build.user({ uses_gravatar: true, email: 'user9@acme.test', delivery_email: 'secret@example.com' })
    expect(avatarUrl(hidden, false)).not.toBe(avatarUrl(hidden, true))
    expect(avatarUrl(hidden, false)).toBe(avatarUrl({ ...hidden, delivery_email: 'other@example.com' }, false))
  })

  test('The object of an inaccessible user has all keys and no personal data.', () => {
    const unknown = userObject.parse(unknownUser(12, 'acme.test'))
    expect(unknown).toMatchObject({ full_name: 'Unknown user', email: 'user12@acme.test', role: 400, is_active: true })
    expect(unknown.date_joined).toBe('1970-01-01T00:00+00:00')
  })

  test('The cached JSON text of a user equals the user object in every form.', () => {
    for (const address of [true, false]) {
      for (const client_gravatar of [true, false]) {
        for (const profile_data of [true, false]) {
          const form = { address, client_gravatar, profile_data }
          const { is_active, ...listed } = composeUser(ada, form)
          expect(JSON.parse(userJson(ada, form, false))).toEqual({ ...listed, is_active })
          expect(JSON.parse(userJson(ada, form, true))).toEqual(listed)
        }
      }
    }
  })
})

describe('The viewers of a user', () => {
  const arbitrary = fc.record({
    users: fc.array(
      fc.record({
        role: fc.constantFrom(...roles),
        is_bot: fc.boolean(),
        email_address_visibility: fc.constantFrom(1, 2, 3, 4, 5),
        channels: fc.subarray([1, 2, 3]),
      }),
      { minLength: 2, maxLength: 12 },
    ),
    apart: fc.boolean(),
  })

  test('Every viewer belongs to exactly one audience, which receives the form of the user that the viewer may see.', () => {
    fc.assert(
      fc.property(arbitrary, ({ users, apart }) => {
        const can_access_all_users_group = apart ? SystemGroup.members : SystemGroup.everyone
        const build = new StateBuilder({ can_access_all_users_group })
        const channels = [1, 2, 3].map((id) => build.channel({ id }))
        const rows = users.map(({ role, is_bot, email_address_visibility, channels: own }) => {
          const row = build.user({ role, is_bot, settings: { email_address_visibility } })
          build.subscribe(row, ...channels.filter(({ id }) => own.includes(id)))
          return row
        })
        const { state } = build
        const [account] = rows
        if (account === undefined) return
        const viewers = groupViewers(state, account, contactSources(state, account, []))
        for (const row of rows) {
          const matchingAudiences = viewers.filter(({ audience }) => isNamed(audience, viewerNow(state, row.id)))
          expect(matchingAudiences).toHaveLength(1)
          const isKnown =
            !isRestrictedGuest(state, row) ||
            account.is_bot ||
            row.id === account.id ||
            collectContacts(state, contactSources(state, row, [])).has(account.id)
          const form = isKnown ? (canSeeAddress(row, account) ? 'address' : 'plain') : 'unknown'
          expect(matchingAudiences[0]?.visibility).toBe(form)
        }
      }),
    )
  })

  test('A new user causes one entry per kind of viewer, and clients with user_list_incomplete skip inaccessible users.', () => {
    const build = new StateBuilder({ can_access_all_users_group: SystemGroup.members })
    const ada = build.user({ settings: { email_address_visibility: 3 } })
    build.user({ role: Role.guest })
    const entries = composeUserAddData(build.state, ada, { channels: [], partners: [] }, 'acme.test').map((data) =>
      realmUserAdd(data),
    )
    expect(entries).toHaveLength(3)
    const { kind } = realmUserAdd
    const seen = entries.map(({ data }) => kind.project(data, plainProfile, build.state))
    const events = seen.map((event) => kind.event.parse(event) as { person: { full_name: string } })
    expect(events.map(({ person }) => person.full_name)).toEqual([ada.full_name, ada.full_name, 'Unknown user'])
    const eventsForIncompleteList = entries.map(({ data }) =>
      kind.project(data, { ...plainProfile, user_list_incomplete: true }, build.state),
    )
    expect(eventsForIncompleteList.map((event) => event === null)).toEqual([false, false, true])
  })
})

describe('Checking a full name', () => {
  const { state } = new StateBuilder()
  test.each([
    ['A', 'A name must have at least 2 characters.'],
    ['x'.repeat(101), 'A name may have at most 100 characters.'],
    ['Ada *Lovelace*', 'The name contains characters that are not allowed in names.'],
    ['ada@home', 'The name contains characters that are not allowed in names.'],
    ['Ada\u0007', 'The name contains characters that are not allowed in names.'],
    ['Ada|12', 'A name must not end with a bar and a number.'],
  ])('The check refuses the name %j: %s', (name, msg) => {
    expect(() => validateFullName(state, name)).toThrow(msg)
  })

  const invisible = {
    'a zero-width space': '\u200b',
    'a mark of direction': '\u200f',
    'an override of the direction': '\u202e',
    'an isolate of the direction': '\u2066',
    'an Arabic letter mark': '\u061c',
    'a soft hyphen': '\u00ad',
    'a word joiner': '\u2060',
    'a byte order mark': '\ufeff',
    'a tag': '\u{e0041}',
    'a Hangul filler': '\u3164',
    'a half-width filler': '\uffa0',
    'a blank of Braille': '\u2800',
    'a grapheme joiner': '\u034f',
    'an invisible sign of mathematics': '\u2062',
    'an annotation': '\ufff9',
    'a line separator': '\u2028',
  }
  test.each(Object.entries(invisible))('The check refuses %s, wherever it is in the name.', (_, sign) => {
    expect(() => validateFullName(state, `Ada${sign}Low`)).toThrow('not allowed, at position 4.')
    expect(() => validateFullName(state, `A${sign}`)).toThrow(/not allowed|at least/)
    expect(() => validateFullName(state, sign.repeat(3))).toThrow(/not allowed|at least/)
  })

  test('The check refuses joiners and marks that join nothing.', () => {
    for (const name of ['Ada\u200d', '\u200cAda', 'Ada \u200dLow', 'A\u200d\u200cda', '\u0301\u0301', 'A\ufe0fda']) {
      expect(() => validateFullName(state, name), JSON.stringify(name)).toThrow(/not allowed, at|readers can see/)
    }
  })

  test.each([
    'Nu\u200dr',
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    '\u0915\u094d\u200d\u0937',
    '\u8fbb\u{e0100} Ai',
    'Ada \u{1f469}\u200d\u{1f33e}',
    'Ada \u2764\ufe0f',
    'Fan \u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}',
    'Ada\u00a0Low',
    'Zo\u00eb',
    'Zoe\u0308',
  ])('The check accepts %j.', (name) => expect(validateFullName(state, name)).toBe(name))

  test('The check trims a name and counts its length in code points.', () => {
    expect(validateFullName(state, '  Ada Lovelace ')).toBe('Ada Lovelace')
    expect(validateFullName(state, '🦉'.repeat(100))).toHaveLength(200)
  })

  test('With require_unique_names, a name must be unique regardless of case and Unicode form.', () => {
    const build = new StateBuilder({ require_unique_names: true })
    const ada = build.user({ full_name: 'Ada' })
    expect(() => validateFullName(build.state, 'ＡＤＡ')).toThrow('Another user has this name already')
    expect(validateFullName(build.state, 'ADA', ada.id)).toBe('ADA')
  })

  test('With require_unique_names, names that look alike are the same.', () => {
    const build = new StateBuilder({ require_unique_names: true })
    build.user({ full_name: 'Mira Castellan' })
    build.user({ full_name: 'Zo\u00eb O\u2019Hara' })
    build.user({ full_name: '\u0412\u0435\u0440\u0430' })
    for (const name of [
      'Mira  Castellan',
      'Mira\u00a0Castellan',
      'Mira\u3000Castellan',
      'Mi\u200dra Castellan',
      '\u041cira Castellan',
      'Mir\u0430 C\u0430stell\u0430n',
      '\u039cira Castellan',
      'MIRA CASTELLAN',
      "Zoe\u0308 O'Hara",
      '\u0432\u0415\u0420\u0410',
    ]) {
      expect(() => validateFullName(build.state, name), name).toThrow('Another user has this name already')
    }
    for (const name of ['Mira Castellano', 'Mira-Castellan', 'Zoe OHara', 'Vera']) {
      expect(validateFullName(build.state, name)).toBe(name)
    }
  })
})

describe('Checking an email address', () => {
  test.each([
    ['ada', 'This is not an email address.'],
    ['ada@', 'This is not an email address.'],
    ['ada@mailinator.com', 'The organization does not accept disposable email addresses.'],
  ])('The check refuses the email address %s: %s', (email, msg) => {
    expect(() => validateEmail(new StateBuilder().state, email)).toThrow(msg)
  })

  test('An organization that restricts email domains refuses other domains and addresses with a plus sign.', () => {
    const { state } = new StateBuilder({ emails_restricted_to_domains: true })
    expect(() => validateEmail(state, 'ada@example.com')).toThrow(
      'The organization does not accept the domain of ada@example.com.',
    )
    expect(() => validateEmail(state, 'ada+x@example.com')).toThrow(
      'Email addresses with a plus sign are not accepted here.',
    )
  })
})
