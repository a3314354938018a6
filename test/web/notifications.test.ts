/** Which messages notify the user of the web client in the browser. */
import { expect, test } from 'vitest'
import { createStore } from '../../client/src/kernel/store.js'
import type { Self, User, UserSettings } from '../../client/src/realm/index.js'
import { defaultUserSettings } from '../../src/domain/settings/user-settings.js'
import { isQuietNow } from '../../web/src/notifications/quiet-now.js'
import { type NotifiedMessage, type NotifyContext, shouldNotify } from '../../web/src/notifications/should-notify.js'

const [SELF, ADA] = [1, 2]
const CHANNEL = 7

const context = (changed: Partial<NotifyContext> = {}): NotifyContext => ({
  ownUserId: SELF,
  settings: {
    enable_desktop_notifications: true,
    enable_stream_desktop_notifications: false,
    enable_followed_topic_desktop_notifications: true,
    enable_sounds: true,
    enable_stream_audible_notifications: false,
    enable_followed_topic_audible_notifications: true,
    wildcard_mentions_notify: true,
    enable_followed_topic_wildcard_mentions_notify: true,
  },
  subscriptions: new Map([
    [
      CHANNEL,
      { is_muted: false, desktop_notifications: null, audible_notifications: null, wildcard_mentions_notify: null },
    ],
  ]),
  policies: new Map(),
  mutedUsers: new Set(),
  ...changed,
})

const direct: NotifiedMessage = { type: 'private', sender_id: ADA, subject: '' }
const inTopic: NotifiedMessage = { type: 'stream', sender_id: ADA, stream_id: CHANNEL, subject: 'Lunch' }

const withPolicy = (policy: 1 | 3) => context({ policies: new Map([[CHANNEL, new Map([['lunch', policy]])]]) })
const withChannel = (changed: {
  is_muted?: boolean
  desktop_notifications?: boolean | null
  audible_notifications?: boolean | null
}) =>
  context({
    subscriptions: new Map([
      [
        CHANNEL,
        {
          is_muted: false,
          desktop_notifications: null,
          audible_notifications: null,
          wildcard_mentions_notify: null,
          ...changed,
        },
      ],
    ]),
  })
const withSettings = (changed: Partial<NotifyContext['settings']>) =>
  context({ settings: { ...context().settings, ...changed } })

test('A direct message and a mention notify; another message of a channel does not.', () => {
  expect(shouldNotify('popup', direct, [], context())).toBe(true)
  expect(shouldNotify('popup', inTopic, ['mentioned'], context())).toBe(true)
  expect(shouldNotify('popup', inTopic, [], context())).toBe(false)
})

test('Messages of the user, read messages and those of muted users never notify.', () => {
  expect(shouldNotify('popup', { ...direct, sender_id: SELF }, [], context())).toBe(false)
  expect(shouldNotify('popup', direct, ['read'], context())).toBe(false)
  expect(shouldNotify('popup', direct, ['mentioned'], context({ mutedUsers: new Set([ADA]) }))).toBe(false)
})

test('A user who turned notifications of direct messages and mentions off gets none.', () => {
  const off = withSettings({ enable_desktop_notifications: false })
  expect(shouldNotify('popup', direct, [], off)).toBe(false)
  expect(shouldNotify('popup', inTopic, ['mentioned'], off)).toBe(false)
  expect(shouldNotify('popup', inTopic, ['stream_wildcard_mentioned'], off)).toBe(false)
})

test('A followed topic notifies, and a muted one only of mentions of the user alone.', () => {
  expect(shouldNotify('popup', inTopic, [], withPolicy(3))).toBe(true)
  expect(shouldNotify('popup', inTopic, [], withPolicy(1))).toBe(false)
  expect(shouldNotify('popup', inTopic, ['stream_wildcard_mentioned'], withPolicy(1))).toBe(false)
  expect(shouldNotify('popup', inTopic, ['mentioned'], withPolicy(1))).toBe(true)
})

test('A channel to which the user is not subscribed notifies only of mentions of the user alone.', () => {
  const outside = { ...withPolicy(3), subscriptions: new Map() }
  expect(shouldNotify('popup', inTopic, [], outside)).toBe(false)
  expect(shouldNotify('popup', inTopic, ['topic_wildcard_mentioned'], outside)).toBe(false)
  expect(shouldNotify('popup', inTopic, ['mentioned'], outside)).toBe(true)
})

test('The setting of a channel is stronger than the one for all channels.', () => {
  expect(shouldNotify('popup', inTopic, [], withChannel({ desktop_notifications: true }))).toBe(true)
  const all = { enable_stream_desktop_notifications: true }
  expect(shouldNotify('popup', inTopic, [], withSettings(all))).toBe(true)
  const { subscriptions } = withChannel({ desktop_notifications: false })
  expect(shouldNotify('popup', inTopic, [], { ...withSettings(all), subscriptions })).toBe(false)
  expect(shouldNotify('popup', inTopic, [], withChannel({ is_muted: true, desktop_notifications: true }))).toBe(false)
})

test('Sounds follow their own settings, by the same rules.', () => {
  const sounds = (changed: NotifyContext, flags: string[] = []) => shouldNotify('sound', inTopic, flags, changed)
  expect(shouldNotify('sound', direct, [], context())).toBe(true)
  expect(shouldNotify('sound', direct, [], withSettings({ enable_sounds: false }))).toBe(false)
  expect(shouldNotify('sound', direct, [], withSettings({ enable_desktop_notifications: false }))).toBe(true)
  expect(sounds(context())).toBe(false)
  expect(sounds(context(), ['mentioned'])).toBe(true)
  expect(sounds(withPolicy(3))).toBe(true)
  expect(sounds(withSettings({ enable_stream_audible_notifications: true }))).toBe(true)
  expect(sounds(withChannel({ audible_notifications: true }))).toBe(true)
  expect(sounds(withChannel({ desktop_notifications: true }))).toBe(false)
})

test('An alert word notifies as a mention does, but not in a muted topic.', () => {
  const flags = ['has_alert_word']
  expect(shouldNotify('popup', inTopic, flags, context())).toBe(true)
  expect(shouldNotify('sound', inTopic, flags, context())).toBe(true)
  expect(shouldNotify('popup', inTopic, flags, withPolicy(1))).toBe(false)
  expect(shouldNotify('popup', inTopic, flags, withChannel({ is_muted: true }))).toBe(false)
  expect(shouldNotify('popup', inTopic, flags, { ...context(), subscriptions: new Map() })).toBe(false)
  expect(shouldNotify('popup', inTopic, flags, withSettings({ enable_desktop_notifications: false }))).toBe(false)
})

test('The quiet hours of an account are in its time zone, or in that of the browser.', () => {
  const isQuiet = (settings: Partial<UserSettings>, timezone = '') =>
    isQuietNow({
      settings: createStore({ ...defaultUserSettings, ...settings } as UserSettings),
      users: createStore(new Map([[SELF, { timezone } as User]])),
      self: createStore({ user_id: SELF } as Self),
    })
  const whole = { quiet_hours_enabled: true, quiet_hours_start: 0, quiet_hours_end: 0, quiet_hours_days: 127 }
  expect(isQuiet(whole)).toBe(true)
  expect(isQuiet({ ...whole, quiet_hours_enabled: false })).toBe(false)
  // Now it is noon at one of the two places at most, and they are half a day apart.
  const around = (zone: string) => {
    const hour = Number(new Intl.DateTimeFormat('en', { hour: '2-digit', hourCycle: 'h23', timeZone: zone }).format())
    return { ...whole, quiet_hours_start: ((hour + 21) % 24) * 60, quiet_hours_end: ((hour + 3) % 24) * 60 }
  }
  expect(isQuiet(around('Etc/GMT-12'), 'Etc/GMT-12')).toBe(true)
  expect(isQuiet(around('Etc/GMT-12'), 'Etc/GMT')).toBe(false)
  expect(isQuiet(around(Intl.DateTimeFormat().resolvedOptions().timeZone))).toBe(true)
})
