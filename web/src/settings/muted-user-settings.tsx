/** The people whom the user muted. */

import type { User } from '@parley/client/realm'
import { PeopleList } from '../dialogs/people-list.js'
import { PeoplePicker } from '../dialogs/people-picker.js'
import { ActionStatus, useAction } from '../forms/action.js'
import { Form, FormEnd, useForm } from '../forms/form.js'
import { compareTexts } from '../languages/locale.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'

/** The page "Muted people". */
export const MutedUserSettings = () => {
  const chat = useChat()
  const action = useAction()
  const muted = [...chat.users.value.values()]
    .filter(({ user_id }) => chat.mutedUsers.value.has(user_id))
    .sort((one, other) => compareTexts(one.full_name, other.full_name))
  const unmute = ({ user_id: muted_user_id, full_name }: User) =>
    action.run(
      () => chat.client.call('DELETE /users/me/muted_users/{muted_user_id}', { muted_user_id }),
      t('{name} is not muted any more.', { name: full_name }),
    )
  return (
    <>
      <p class="soft-text">
        {t('Messages of these people are read already when they arrive, and never notify you. They are not told.')}
      </p>
      <MutePeople />
      <section class="dialog-group">
        <h3>{t('Muted people')}</h3>
        <ActionStatus action={action} />
        {muted.length === 0 ? (
          <p class="soft-text">{t('You have muted nobody.')}</p>
        ) : (
          <PeopleList
            label={t('Muted people')}
            users={muted}
            renderEnd={(user) => (
              <button
                type="button"
                class="button"
                aria-label={t('Unmute {name}', { name: user.full_name })}
                onClick={() => unmute(user)}
              >
                {t('Unmute')}
              </button>
            )}
          />
        )}
      </section>
    </>
  )
}

const MutePeople = () => {
  const chat = useChat()
  const form = useForm({
    values: { userIds: [] as readonly number[] },
    send: async ({ userIds }) => {
      for (const muted_user_id of userIds) {
        await chat.client.call('POST /users/me/muted_users/{muted_user_id}', { muted_user_id })
      }
    },
    done: t('Muted. Their messages are read now.'),
    renews: 'all',
  })
  return (
    <Form of={form}>
      <PeoplePicker
        label={t('People')}
        isExcluded={(userId) => userId === chat.ownUserId || chat.mutedUsers.value.has(userId)}
        {...form.bind('userIds')}
      />
      <FormEnd of={form} label={t('Mute them')} isSecondary isDisabled={form.values.userIds.length === 0} />
    </Form>
  )
}
