import { type ChannelOptions, composeChannels, validateChannelName } from '../../../src/domain/channels/new-channels.js'
import type { UserRow } from '../../../src/domain/log/rows.js'
import { joinLines } from '../../../src/domain/rendering/names-and-descriptions.js'
import { createAndJoinChanges } from '../../../src/store/channels/channels.js'
import { commit } from '../../../src/store/log/change.js'
import type { Realm } from '../../../src/store/log/realm.js'
import { WriteContext, type WriteDependencies } from '../../../src/store/log/write-context.js'

/** The options of a public channel with the settings of the organization. */
export const plainOptions: ChannelOptions = {
  invite_only: false,
  is_web_public: false,
  is_default_stream: false,
  message_retention_days: 'realm_default',
  topics_policy: 'inherit',
}

/**
 * Creates a channel through the store. There is no request, permission check or notification.
 * @returns its id
 */
export const createChannel = (
  dependencies: WriteDependencies,
  realm: Realm,
  wanted: {
    name: string
    description?: string
    creator?: UserRow
    members?: readonly UserRow[]
    is_default?: boolean
    options?: Partial<ChannelOptions>
  },
): Promise<number> =>
  realm.withStructureLock(async () => {
    const context = WriteContext.open(dependencies, realm)
    const { state } = realm
    const named = { name: validateChannelName(wanted.name), description: joinLines(wanted.description ?? '') }
    const created = composeChannels(state, wanted.creator, [named], { ...plainOptions, ...wanted.options })
    const joining = { users: wanted.members ?? [], existing: [], created, areDefault: wanted.is_default ?? false }
    await commit(context, createAndJoinChanges(state, joining))
    return created[0]?.id ?? 0
  })
