/** The groups of default channels: a new user joins all channels of one with one button. */

import type { Organization } from '@parley/client/realm'
import { ActionStatus, useAction } from '../forms/action.js'
import { listNames } from '../languages/lists.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { channelName } from '../realm/names.js'
import { isGuest } from '../realm/permissions.js'

type Group = NonNullable<Organization['realm_default_stream_groups']>[number]

/** The groups with channels that the user has not joined; nothing if there is none. */
export const ChannelGroups = () => {
  const chat = useChat()
  const action = useAction()
  const { realm_default_stream_groups: groups = [] } = chat.organization.value
  const missing = ({ streams }: Group) => streams.filter((id) => !chat.subscriptions.value.has(id))
  const open = isGuest(chat) ? [] : groups.filter((group) => missing(group).length > 0)
  const join = (group: Group) =>
    action.run(
      () => {
        const subscriptions = missing(group).map((id) => ({ name: channelName(chat, id) }))
        return chat.client.call('POST /users/me/subscriptions', { subscriptions })
      },
      t('You joined the channels of {name}.', { name: group.name }),
    )
  return (
    <>
      {open.length > 0 && (
        <ul class="channel-groups" aria-label={t('Channels to join together')}>
          {open.map((group) => (
            <li key={group.id}>
              <span>
                <bdi>{group.name}</bdi>
                <span class="field-hint" dir="auto">
                  {[
                    ...(group.description === '' ? [] : [group.description]),
                    listNames(missing(group).map((id) => `#${channelName(chat, id)}`)),
                  ].join(' · ')}
                </span>
              </span>
              <button
                type="button"
                class="button"
                onClick={() => join(group)}
                aria-label={t('Join {name}', { name: group.name })}
              >
                {t('Join')}
              </button>
            </li>
          ))}
        </ul>
      )}
      <ActionStatus action={action} />
    </>
  )
}
