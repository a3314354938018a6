/** What a part of a request to subscribe does on one state. Tests of a pure function, without a server. */
import { expect, test } from 'vitest'
import { decideMemberships } from '../../src/domain/channels/subscribing.js'
import type { ChannelRow, UserRow } from '../../src/domain/log/rows.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { StateBuilder } from '../setup/realm/state-builder.js'

const options = {
  invite_only: false,
  is_web_public: false,
  is_default_stream: false,
  message_retention_days: 'realm_default',
  topics_policy: 'inherit',
} as const

/** The part that subscribes these users to a channel. @param begun an earlier part created it */
const composePart = (channel: ChannelRow, users: readonly UserRow[], begun: boolean) => ({
  channels: [{ name: channel.name, description: '', color: undefined }],
  user_ids: users.map(({ id }) => id),
  begun: new Set(begun ? [channel.id] : []),
})

const forOthers = { isForSelf: false, isFatal: true }

test('A later part of a request does not subscribe an account that was deactivated meanwhile.', () => {
  const build = new StateBuilder()
  const [caller, active, deactivated] = [build.user(), build.user(), build.user({ is_active: false })]
  const channel = build.channel()
  const part = composePart(channel, [active, deactivated], false)
  const { added, unchanged } = decideMemberships(build.state, caller, part, options, forOthers)
  expect({ added, unchanged }).toEqual({ added: [{ channel, users: [active] }], unchanged: [] })
})

test('Who creates a channel chooses its first subscribers, also those of a later part.', () => {
  const build = new StateBuilder({ can_add_subscribers_group: SystemGroup.nobody })
  const [caller, user] = [build.user(), build.user()]
  const channel = build.channel()
  const decide = (begun: boolean) =>
    decideMemberships(build.state, caller, composePart(channel, [user], begun), options, forOthers)
  expect(() => decide(false)).toThrow('Insufficient permission')
  expect(decide(true).added).toEqual([{ channel, users: [user] }])
})
