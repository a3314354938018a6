/**
 * Permissions to change the organization (protocol/permissions.md 4.3, 4.4, 13 and 16). Every cell is tested over the
 * API.
 */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { BotType, Role } from '../../src/domain/log/rows.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import {
  type channelSettings,
  isRealmGroupSetting,
  realmGroupSettingNames,
} from '../../src/domain/settings/realm-settings.js'
import { refusals, tableOf, walk, wordOf } from '../setup/realm/matrix-table.js'
import { type Answer, call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { changedSettingValues } from '../setup/realm/setting-values.js'
import { redPixel, upload } from '../setup/requests/files.js'

const vocabulary = {
  ...refusals,
  default: '400 BAD_REQUEST: Only administrators may change the default channels.',
  author: '400 BAD_REQUEST: Only administrators and the user who added the emoji may do this.',
  'built-in': '400 BAD_REQUEST: Only administrators may replace a built-in emoji.',
}

let realm: TestRealm
let cast: Record<string, Person>
let founder: Person
let channel = 0
let secret = 0

beforeAll(async () => {
  realm = await newRealm()
  const roles = { founder: 100, owner: 100, administrator: 200, moderator: 300, member: 400, author: 400, guest: 600 }
  const people = await realm.people(...Object.entries(roles).map(([full_name, role]) => ({ full_name, role })))
  cast = Object.fromEntries(Object.keys(roles).map((name, i) => [name, people[i] as Person]))
  founder = cast.founder as Person
  const bot = { type: BotType.generic, owner_id: founder.user_id }
  const [plain, strong] = (await realm.people(
    { full_name: 'bot', email: 'plain-bot@example.com', bot },
    { full_name: 'admin bot', email: 'strong-bot@example.com', role: Role.owner, bot },
  )) as [Person, Person]
  Object.assign(cast, { bot: plain, 'owner-bot': strong })
  const make = async (name: string, params: object) => {
    await ok(founder, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...params })
    return (await ok(founder, 'GET', '/get_stream_id', { stream: name })).stream_id
  }
  channel = await make('hall', {})
  secret = await make('vault', { invite_only: true })
})
afterAll(() => realm[Symbol.asyncDispose]())

describe('Organization settings', () => {
  const values: Record<string, unknown> = changedSettingValues
  const channels: Record<(typeof channelSettings)[number], () => number> = {
    new_stream_announcements_stream_id: () => channel,
    signup_announcements_stream_id: () => channel,
    zulip_update_announcements_stream_id: () => channel,
    moderation_request_channel_id: () => secret,
  }

  /** Changes the setting and, if that succeeds, restores it. @returns the word for the cell */
  const change = async (by: Person, name: string): Promise<string> => {
    const isGroup = isRealmGroupSetting(name)
    const wanted = isGroup ? { new: newGroup(name) } : (channels[name as keyof typeof channels]?.() ?? values[name])
    const was = await stored(name)
    const answer = await call(by, 'PATCH', '/realm', { [name]: wanted })
    const is = await stored(name)
    if (answer.status !== 200) return wordOf(answer, vocabulary) + (same(was, is) ? '' : '!changed')
    if (same(was, is)) return 'nothing'
    const defaults: Record<string, string> = { message_retention_days: 'unlimited', jitsi_server_url: 'default' }
    await ok(founder, 'PATCH', '/realm', { [name]: isGroup ? { new: was } : (defaults[name] ?? was) })
    return 'yes'
  }
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  const newGroup = (name: string) => {
    if (name === 'can_access_all_users_group') return SystemGroup.members
    const excludes = ['can_create_web_public_channel_group', 'can_set_delete_message_policy_group']
    return excludes.includes(name) ? SystemGroup.nobody : SystemGroup.moderators
  }
  const stored = async (name: string): Promise<unknown> => {
    await realm.realm.barrier()
    const { realm: row, settings } = realm.realm.state
    return name === 'name' || name === 'description' ? row[name] : settings[name as 'topics_policy']
  }

  // 4.3 "ed", 4.4 "Editor"; protocol/endpoints.md 4: administrators receive a different error for the settings of
  // owners.
  test('Administrators can change organization settings, and only owners can change those reserved for owners.', async () => {
    const owners = [
      'invite_required',
      'sign_up_approval_required',
      'refused_email_domains',
      'emails_restricted_to_domains',
      'disallow_disposable_email_addresses',
      'waiting_period_threshold',
      'second_factor_required_for',
      'message_retention_days',
      'can_create_groups',
      'can_manage_all_groups',
      'can_invite_users_group',
      'create_multiuse_invite_group',
      'can_manage_billing_group',
    ]
    const all = [...Object.keys(values), ...Object.keys(channels), ...realmGroupSettingNames]
    const administrators = all.filter((name) => !owners.includes(name))
    const lines = (names: string[], cells: string) => names.map((name) => `${name} ${cells}`).join('\n')
    const table = tableOf(`
      owner owner-bot administrator moderator member guest bot
      ${lines(administrators, 'yes yes yes admin admin admin admin')}
      ${lines(owners, 'yes yes owner admin admin admin admin')}
    `)
    await walk(table, (name, caller) => runSequentially(name, () => change(cast[caller] as Person, name)), 1_000)
  }, 60_000)
})

const lastRuns = new Map<string, Promise<unknown>>()
/** Runs the work for each name sequentially. */
const runSequentially = <T>(name: string, work: () => Promise<T>): Promise<T> => {
  const next = (lastRuns.get(name) ?? Promise.resolve()).then(work)
  lastRuns.set(name, next)
  return next
}

describe('Objects of the organization', () => {
  let count = 0
  const fieldNamed = async (name: string) =>
    (await ok(founder, 'POST', '/realm/profile_fields', { name, field_type: 1 })).id
  const linkifier = async () =>
    (
      await ok(founder, 'POST', '/realm/filters', {
        pattern: `#${++count}-(?P<id>[0-9]+)`,
        url_template: 'https://example.com/{id}',
      })
    ).id
  const playground = async () =>
    (
      await ok(founder, 'POST', '/realm/playgrounds', {
        name: `play ${++count}`,
        pygments_language: 'Python',
        url_template: 'https://example.com/{code}',
      })
    ).id
  const folder = async () =>
    (await ok(founder, 'POST', '/channel_folders/create', { name: `f${++count}` })).channel_folder_id
  const emoji = async (by: Person, name: string): Promise<Answer> => {
    const file = { filename: 'dot.png', type: 'image/png', data: redPixel }
    const { status, json } = await upload(by, `/realm/emoji/${name}`, file)
    return { status, body: json }
  }
  const assertOk = (answer: Answer) => {
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  }

  const builtIn = ['tada', 'wave', 'heart', 'smile', 'rocket', 'coffee', 'dog', 'cat']

  /** Each creates the objects that it needs. @returns the call to try */
  const actions: Record<string, () => Promise<(by: Person) => Promise<Answer>>> = {
    'a profile field made': async () => (by) =>
      call(by, 'POST', '/realm/profile_fields', { name: `field ${++count}`, field_type: 1 }),
    'a profile field changed': async () => {
      const id = await fieldNamed(`field ${++count}`)
      return (by) => call(by, 'PATCH', `/realm/profile_fields/${id}`, { name: `field ${++count}` })
    },
    'a profile field removed': async () => {
      const id = await fieldNamed(`field ${++count}`)
      return (by) => call(by, 'DELETE', `/realm/profile_fields/${id}`)
    },
    'profile fields in another order': async () => {
      await fieldNamed(`field ${++count}`)
      return async (by) => {
        const { custom_fields } = await ok(by, 'GET', '/realm/profile_fields')
        return call(by, 'PATCH', '/realm/profile_fields', { order: custom_fields.map(({ id }) => id).reverse() })
      }
    },
    'a linkifier made': async () => (by) =>
      call(by, 'POST', '/realm/filters', {
        pattern: `#${++count}-(?P<id>[0-9]+)`,
        url_template: 'https://example.com/{id}',
      }),
    'a linkifier changed': async () => {
      const id = await linkifier()
      const changed = { pattern: `#${++count}-(?P<id>[0-9]+)`, url_template: 'https://example.org/{id}' }
      return (by) => call(by, 'PATCH', `/realm/filters/${id}`, changed)
    },
    'a linkifier removed': async () => {
      const id = await linkifier()
      return (by) => call(by, 'DELETE', `/realm/filters/${id}`)
    },
    'linkifiers in another order': async () => {
      await linkifier()
      await linkifier()
      return async (by) => {
        const { linkifiers } = await ok(by, 'GET', '/realm/linkifiers')
        const ordered_linkifier_ids = linkifiers.map(({ id }) => id).reverse()
        return call(by, 'PATCH', '/realm/linkifiers', { ordered_linkifier_ids })
      }
    },
    'a playground made': async () => (by) =>
      call(by, 'POST', '/realm/playgrounds', {
        name: `play ${++count}`,
        pygments_language: 'Python',
        url_template: 'https://example.com/{code}',
      }),
    'a playground removed': async () => {
      const id = await playground()
      return (by) => call(by, 'DELETE', `/realm/playgrounds/${id}`)
    },
    'a folder made': async () => (by) => call(by, 'POST', '/channel_folders/create', { name: `folder ${++count}` }),
    'a folder changed': async () => {
      const id = await folder()
      return (by) => call(by, 'PATCH', `/channel_folders/${id}`, { description: 'about it' })
    },
    'a default channel added': async () => {
      await call(founder, 'DELETE', '/default_streams', { stream_id: channel })
      return (by) => call(by, 'POST', '/default_streams', { stream_id: channel })
    },
    'a default channel removed': async () => {
      await call(founder, 'POST', '/default_streams', { stream_id: channel })
      return (by) => call(by, 'DELETE', '/default_streams', { stream_id: channel })
    },
    'default settings of new users': async () => {
      await ok(founder, 'PATCH', '/realm/user_settings_defaults', { twenty_four_hour_time: false })
      return (by) => call(by, 'PATCH', '/realm/user_settings_defaults', { twenty_four_hour_time: true })
    },
    'an emoji made': async () => (by) => emoji(by, `dot${++count}`),
    'an emoji replacing a built-in one': async () => (by) => emoji(by, builtIn.pop() as string),
    'an emoji of another removed': async () => {
      const name = `dot${++count}`
      assertOk(await emoji(cast.author as Person, name))
      return (by) => call(by, 'DELETE', `/realm/emoji/${name}`)
    },
  }

  /** All objects as JSON. The test tries one action at a time, so a difference comes from that action. */
  const readObjects = async (): Promise<string> => {
    await realm.realm.barrier()
    const { state } = realm.realm
    const tables = ['profileFields', 'linkifiers', 'playgrounds', 'folders', 'emoji', 'defaultChannels'] as const
    return JSON.stringify([...tables.map((name) => [...state[name]]), state.realm.user_settings_defaults])
  }

  test('Only administrators can manage the objects of the organization, except that members manage custom emoji of their own.', async () => {
    const table = tableOf(
      `
                                            owner  owner-bot  administrator  moderator  member    author    guest     bot
      a profile field made                  yes    yes        yes            admin      admin     admin     admin     admin
      a profile field changed               yes    yes        yes            admin      admin     admin     admin     admin
      a profile field removed               yes    yes        yes            admin      admin     admin     admin     admin
      profile fields in another order       yes    yes        yes            admin      admin     admin     admin     admin
      a linkifier made                      yes    yes        yes            admin      admin     admin     admin     admin
      a linkifier changed                   yes    yes        yes            admin      admin     admin     admin     admin
      a linkifier removed                   yes    yes        yes            admin      admin     admin     admin     admin
      linkifiers in another order           yes    yes        yes            admin      admin     admin     admin     admin
      a playground made                     yes    yes        yes            admin      admin     admin     admin     admin
      a playground removed                  yes    yes        yes            admin      admin     admin     admin     admin
      a folder made                         yes    yes        yes            admin      admin     admin     admin     admin
      a folder changed                      yes    yes        yes            admin      admin     admin     admin     admin
      a default channel added               yes    yes        yes            default    default   default   default   default
      a default channel removed             yes    yes        yes            default    default   default   default   default
      default settings of new users         yes    yes        yes            admin      admin     admin     admin     admin
      an emoji made                         yes    bot        yes            yes        yes       yes       guest     bot
      an emoji replacing a built-in one     yes    bot        yes            built-in   built-in  built-in  guest     bot
      an emoji of another removed           yes    yes        yes            author     author    yes       author    author
    `,
    )
    await walk(
      table,
      async (row, caller) => {
        const action = await (actions[row] as (typeof actions)[string])()
        const before = await readObjects()
        const answer = await action(cast[caller] as Person)
        const after = await readObjects()
        if (answer.status !== 200) return wordOf(answer, vocabulary) + (before === after ? '' : '!changed')
        return before === after ? 'nothing' : 'yes'
      },
      1,
    )
  }, 60_000)
})
