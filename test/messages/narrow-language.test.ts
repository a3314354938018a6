/** The narrow language: parsing, errors, and the conditions that a narrow resolves to. */
import { describe, expect, test } from 'vitest'
import { replaceEmptyTopicName } from '../../rules/src/narrow.js'
import { composeSubscription } from '../../src/domain/channels/channels.js'
import { Role } from '../../src/domain/log/rows.js'
import { anyMention, Flag } from '../../src/domain/messages/flags.js'
import { checkSpectatorNarrow, parseNarrow, resolveNarrow } from '../../src/domain/messages/narrow/narrow.js'
import { ApiError } from '../../src/domain/protocol/errors.js'
import { StateBuilder } from '../setup/realm/state-builder.js'

const setUp = () => {
  const builder = new StateBuilder()
  const ada = builder.user({ full_name: 'Ada' })
  const grace = builder.user({ full_name: 'Grace' })
  const guest = builder.user({ full_name: 'Guest', role: Role.guest })
  const design = builder.channel({ name: 'design' })
  const web = builder.channel({ name: 'web', is_web_public: true })
  const secret = builder.channel({ name: 'secret', invite_only: true, history_public_to_subscribers: true })
  const diary = builder.channel({ name: 'diary', invite_only: true, history_public_to_subscribers: false })
  return { builder, state: builder.state, ada, grace, guest, design, web, secret, diary }
}

const errorBody = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    if (error instanceof ApiError) return error.body
    throw error
  }
  return undefined
}

describe('Parsing a narrow', () => {
  test('A narrow may mix objects and pairs, and unknown keys are ignored.', () => {
    expect(
      parseNarrow([
        ['stream', 'design'],
        { operator: 'sender', operand: 2, negated: true, color: 'red' },
        { operator: 'dm', operand: [1, 2] },
      ]),
    ).toEqual([
      { operator: 'stream', operand: 'design', negated: false },
      { operator: 'sender', operand: 2, negated: true },
      { operator: 'dm', operand: [1, 2], negated: false },
    ])
  })

  const malformed: readonly [string, unknown, string][] = [
    ['a pair with a number', ['stream', 1], 'narrow[0] cannot be used: a list must be of two texts'],
    ['a triple', ['stream', 'a', 'b'], 'narrow[0] cannot be used: a list must be of two texts'],
    ['a number', 7, 'narrow[0] cannot be used: it must be an object or a list'],
    ['null', null, 'narrow[0] cannot be used: it must be an object or a list'],
    ['no operand', { operator: 'id' }, 'narrow[0] cannot be used: operand is missing'],
    ['no operator', { operand: 'id' }, 'narrow[0] cannot be used: operator is missing'],
    ['negated as text', { operator: 'id', operand: 1, negated: 'yes' }, 'narrow[0]["negated"] must be true or false.'],
    ...['channel', 'stream', 'id', 'sender', 'mentions', 'group-pm-with', 'dm-including', 'with'].flatMap((operator) =>
      [[1], 1.5, true, {}].map((operand): [string, unknown, string] => [
        `${operator} by ${JSON.stringify(operand)}`,
        { operator, operand },
        'operand must be text or an integer',
      ]),
    ),
    ...['dm', 'pm-with'].flatMap((operator) =>
      [1, [1, 'a'], [1.5], true].map((operand): [string, unknown, string] => [
        `${operator} by ${JSON.stringify(operand)}`,
        { operator, operand },
        'operand must be text or a list of integers',
      ]),
    ),
    ...'channels streams topic is has in near search pm_with group_pm_with subject color'
      .split(' ')
      .flatMap((operator) =>
        [1, [1]].map((operand): [string, unknown, string] => [
          `${operator} by ${JSON.stringify(operand)}`,
          { operator, operand },
          'operand must be text',
        ]),
      ),
    ['an empty search', { operator: 'search', operand: '' }, 'operand must not be blank'],
    ['a long search', { operator: 'search', operand: 'x'.repeat(10_001) }, 'operand may have at most 10000 characters'],
    ['a blank search', { operator: 'search', operand: ' ' }, 'operand must not be blank'],
    ['null for an operand', { operator: 'id', operand: null }, 'narrow[0] cannot be used: operand is missing'],
    ['a list without a list', ['stream'], 'narrow[0] cannot be used: a list must be of two texts'],
  ]
  test.each(malformed)('A narrow with %s is refused.', (_name, element, msg) => {
    expect(errorBody(() => parseNarrow([element]))).toEqual({ msg, code: 'BAD_REQUEST' })
  })

  test('"general chat" becomes the empty topic in the first such term only.', () => {
    const narrow = parseNarrow([
      ['topic', 'general chat'],
      ['topic', 'general chat'],
    ])
    expect(replaceEmptyTopicName(narrow).map(({ operand }) => operand)).toEqual(['', 'general chat'])
    expect(replaceEmptyTopicName(parseNarrow([['topic', 'General chat']]))[0]?.operand).toBe('General chat')
  })
})

describe('Resolving a narrow', () => {
  const { state, ada, grace, design, web } = setUp()
  const conditions = (...terms: unknown[]) => resolveNarrow(state, ada, parseNarrow(terms)).conditions

  test('Channels and users can be given by name, address or id.', () => {
    const [ids, texts] = [{ user_id: grace.id }, [grace.email, grace.email.toUpperCase()]]
    for (const operator of ['dm-including', 'group-pm-with']) {
      for (const operand of [...texts, grace.id]) expect(conditions({ operator, operand })[0]).toMatchObject(ids)
    }
    for (const operand of [17, '17']) {
      expect(conditions({ operator: 'id', operand })).toEqual([{ test: 'id', message_id: 17, negated: false }])
    }
    for (const operand of ['design', 'DESIGN', design.id]) {
      expect(conditions({ operator: 'channel', operand })).toEqual([
        { test: 'channel', channel_ids: [design.id], negated: false },
      ])
    }
    for (const operand of [grace.email, grace.email.toUpperCase(), grace.id]) {
      expect(conditions({ operator: 'sender', operand })).toEqual([
        { test: 'sender', user_id: grace.id, negated: false },
      ])
    }
  })

  test('Old operator names are equal to the new ones.', () => {
    const both = (a: string, b: string, operand: unknown) =>
      expect(conditions({ operator: a, operand })).toEqual(conditions({ operator: b, operand }))
    both('stream', 'channel', 'design')
    both('streams', 'channels', 'public')
    both('pm-with', 'dm', [grace.id])
    both('pm_with', 'dm', grace.email)
    both('group_pm_with', 'group-pm-with', grace.email)
    expect(conditions(['is', 'private'])).toEqual(conditions(['is', 'dm']))
  })

  test('A conversation is exactly the named participants and the user.', () => {
    const people = (operand: unknown) => conditions({ operator: 'dm', operand })[0]
    const both = { test: 'conversation', user_ids: [ada.id, grace.id], negated: false }
    expect(people([grace.id])).toEqual(both)
    expect(people([grace.id, ada.id, grace.id])).toEqual(both)
    expect(people(`${grace.email}, ${ada.email}`)).toEqual(both)
    expect(people([ada.id])).toEqual({ ...both, user_ids: [ada.id] })
    expect(people(`, ${grace.email},`)).toEqual(both)
    for (const empty of [[], '', ' , ']) expect(people(empty)).toEqual({ ...both, user_ids: null })
  })

  test('Flags are resolved by their names in narrows.', () => {
    const flags = (operand: string) => conditions(['is', operand])[0]
    expect(flags('starred')).toEqual({ test: 'flag', flags: Flag.starred, negated: false })
    expect(flags('mentioned')).toEqual({ test: 'flag', flags: anyMention, negated: false })
    expect(flags('alerted')).toEqual({ test: 'flag', flags: Flag.has_alert_word, negated: false })
    const ways = ['mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned', 'group_mentioned'] as const
    expect(anyMention).toBe(ways.reduce((bits, way) => bits | Flag[way], 0))
  })

  test('in:home resolves to messages that are not muted.', () => {
    expect(conditions(['in', 'home'])).toEqual([{ test: 'muted', inChannel: false, negated: true }])
    expect(conditions({ operator: 'in', operand: 'home', negated: true })).toEqual(conditions(['is', 'muted']))
    expect(conditions(['channel', 'design'], ['is', 'muted'])[1]).toMatchObject({ inChannel: true })
    expect(conditions(['in', 'all'], ['near', '17'])).toEqual([])
    expect(conditions(['near', '17'], ['is', 'dm'])).toEqual([{ test: 'direct', negated: false }])
  })

  test('channels:public means channels whose messages every member can read, and archived channels can be named.', () => {
    expect(conditions(['channels', 'public'])[0]).toMatchObject({ channel_ids: [design.id, web.id] })
    expect(conditions(['channels', 'web-public'])[0]).toMatchObject({ channel_ids: [web.id] })
    const { builder } = setUp()
    const old = builder.channel({ name: 'old', is_archived: true })
    expect(resolveNarrow(builder.state, ada, parseNarrow([['channel', 'old']])).conditions[0]).toMatchObject({
      channel_ids: [old.id],
    })
  })

  const unknown: readonly [unknown[], string][] = [
    [[['color', 'red']], 'unknown operator color'],
    [[['subject', 'logo']], 'unknown operator subject'],
    [[['channel', 'nowhere']], 'unknown channel nowhere'],
    [[{ operator: 'channel', operand: 99 }], 'unknown channel 99'],
    [[['channels', 'secret']], 'unknown channels operand secret'],
    [[['sender', 'x@y.z']], 'unknown user x@y.z'],
    [[{ operator: 'dm-including', operand: 99 }], 'unknown user 99'],
    [[{ operator: 'group-pm-with', operand: 99 }], 'unknown user 99'],
    [[['dm', 'x@y.z, user1@test.invalid']], 'unknown user in x@y.z, user1@test.invalid'],
    [[['has', 'color']], 'unknown “has” operand color'],
    [[['in', 'garden']], 'unknown “in” operand garden'],
    [[['is', 'red']], 'unknown “is” operand red'],
    [[['id', 'x']], 'no message has this ID'],
    [[{ operator: 'id', operand: 2_147_483_648 }], 'no message has this ID'],
    [[{ operator: 'id', operand: -1 }], 'no message has this ID'],
  ]
  test.each(unknown)('The terms %j are refused: %s', (terms, desc) => {
    expect(errorBody(() => conditions(...terms))).toEqual({
      code: 'BAD_NARROW',
      desc,
      msg: `This narrow term cannot be used: ${desc}`,
    })
  })

  const people = [
    { operator: 'dm', operand: [2] },
    { operator: 'dm-including', operand: 2 },
    { operator: 'group-pm-with', operand: 2 },
  ]
  const isDirect = { operator: 'is', operand: 'dm' }
  const places = [
    { operator: 'channel', operand: 'design' },
    { operator: 'channels', operand: 'public' },
    { operator: 'topic', operand: 'x' },
  ]
  const not = (term: object) => ({ ...term, negated: true })
  const inBoth = [...people, isDirect].flatMap((person) => places.map((place) => [person, place] as const))
  const notDirect = people.map((person) => [not(isDirect), person] as const)

  test.each([...inBoth, ...notDirect])('The terms %j and %j are refused in either order.', (one, other) => {
    const desc = 'no message is both a channel message and a direct message'
    expect(errorBody(() => conditions(one, other))).toMatchObject({ code: 'BAD_NARROW', desc })
    expect(errorBody(() => conditions(other, one))).toMatchObject({ code: 'BAD_NARROW', desc })
  })

  test.each(inBoth)('The terms %j and %j are accepted if one of them is negated.', (person, place) => {
    expect(conditions(not(person), place)).toHaveLength(2)
    expect(conditions(person, not(place))).toHaveLength(2)
  })

  test('A narrow includes messages the user never received only for channels with history that the user can read.', () => {
    const { builder, ada, secret, diary } = setUp()
    for (const { id } of [secret, diary]) {
      builder.put('subscriptions', { ...composeSubscription(ada.id, id, '#c2c2c2'), active: false })
    }
    const includes = (...terms: unknown[]) => resolveNarrow(builder.state, ada, parseNarrow(terms)).includesHistory
    expect(includes()).toBe(false)
    expect(includes(['channel', 'design'])).toBe(true)
    expect(includes(['channel', 'design'], ['is', 'resolved'])).toBe(true)
    for (const operand of ['dm', 'starred', 'unread', 'mentioned', 'alerted', 'followed', 'muted']) {
      if (operand !== 'dm') expect(includes(['channel', 'design'], ['is', operand])).toBe(false)
      expect(includes(['channel', 'design'], { operator: 'is', operand, negated: true })).toBe(true)
    }
    expect(includes({ operator: 'channel', operand: diary.id }, ['channel', 'design'])).toBe(true)
    expect(includes(['channel', 'design'], { operator: 'channel', operand: diary.id })).toBe(false)
    expect(includes({ operator: 'channels', operand: 'public', negated: true })).toBe(false)
    expect(includes({ operator: 'channel', operand: 'web', negated: true }, ['channel', 'design'])).toBe(true)
    expect(includes({ operator: 'channel', operand: 'design', negated: true })).toBe(false)
    expect(includes(['channels', 'public'])).toBe(true)
    expect(includes(['channels', 'web-public'])).toBe(false)
    expect(includes({ operator: 'channel', operand: secret.id })).toBe(false)
    expect(includes({ operator: 'channel', operand: diary.id })).toBe(false)
    expect(includes(['topic', 'x'])).toBe(false)
  })

  test('A narrow includes the shared history of a private channel for its subscribers, until the channel is archived.', () => {
    const { builder, ada, secret, diary } = setUp()
    const old = builder.channel({ name: 'old', invite_only: true, is_archived: true })
    const open = builder.channel({ name: 'open', is_archived: true })
    builder.subscribe(ada, secret, diary, old, open)
    const includes = (operand: number) =>
      resolveNarrow(builder.state, ada, parseNarrow([{ operator: 'channel', operand }])).includesHistory
    expect([secret, diary, old, open].map(({ id }) => includes(id))).toEqual([true, false, false, true])
  })

  test('A narrow of a guest includes history of web-public channels only.', () => {
    const { builder, guest, design, web } = setUp()
    builder.put('subscriptions', { ...composeSubscription(guest.id, design.id, '#c2c2c2'), active: false })
    const includes = (term: unknown) => resolveNarrow(builder.state, guest, parseNarrow([term])).includesHistory
    expect(includes({ operator: 'channel', operand: design.id })).toBe(false)
    expect(includes({ operator: 'channel', operand: web.id })).toBe(true)
    expect(includes(['channels', 'public'])).toBe(false)
  })
})

describe('Narrows without credentials', () => {
  test("A spectator's narrow must contain channels:web-public and only operators that spectators may use.", () => {
    const web = ['channels', 'web-public']
    const allowed = (...terms: unknown[]) => checkSpectatorNarrow(parseNarrow(terms)) !== undefined
    expect(allowed(web)).toBe(true)
    expect(allowed(['streams', 'web-public'])).toBe(true)
    expect(allowed(web, ['topic', 'x'], ['is', 'resolved'], ['in', 'home'])).toBe(true)
    expect(checkSpectatorNarrow(parseNarrow([web, ['in', 'home']]))).toEqual(parseNarrow([web]))
    for (const operator of 'channel channels stream streams topic sender has search near id with'.split(' ')) {
      expect(allowed(web, [operator, 'x']), operator).toBe(true)
    }
    for (const operator of 'dm dm-including pm-with pm_with group-pm-with group_pm_with is in color'.split(' ')) {
      expect(allowed(web, [operator, 'x']), operator).toBe(false)
    }
    expect(allowed(web, ['in', 'all'])).toBe(false)
    expect(allowed()).toBe(false)
    expect(allowed(['channels', 'public'])).toBe(false)
    expect(allowed({ operator: 'channels', operand: 'web-public', negated: true })).toBe(false)
    expect(allowed(web, ['is', 'starred'])).toBe(false)
    expect(allowed(web, ['dm', 'a@b.c'])).toBe(false)
  })

  test("A spectator's narrow resolves only web-public channels.", () => {
    const { state } = setUp()
    const find = (operand: string) => () => resolveNarrow(state, undefined, parseNarrow([['channel', operand]]))
    expect(errorBody(find('design'))).toMatchObject({ desc: 'unknown web-public channel design' })
    expect(errorBody(find('nowhere'))).toMatchObject({ desc: 'unknown web-public channel nowhere' })
    expect(errorBody(find('web'))).toBeUndefined()
  })
})
