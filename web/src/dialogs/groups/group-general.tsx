/** What a group is. Users who may manage it change it here. */

import type { UserGroup } from '@parley/client/realm'
import { readableText } from '../../emoji/readable-text.js'
import { ActionStatus, useAction } from '../../forms/action.js'
import { changedTexts, Form, FormEnd, isEmpty, useForm } from '../../forms/form.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { countMembers, describeHolders, holdersOf } from '../../realm/groups.js'
import { userName } from '../../realm/names.js'
import { mayManageGroup } from '../../realm/permissions.js'
import { formatDate } from '../../ui/times.js'
import { ConfirmButton } from '../confirm-button.js'
import { GroupMembershipButton } from './group-membership-button.js'
import { GroupNameFields } from './group-name-fields.js'
import { explainUses } from './group-uses.js'

/** The page "About". */
export const GroupGeneral = ({ group }: { group: UserGroup }) => {
  const chat = useChat()
  const action = useAction()
  const mayManage = mayManageGroup(chat, group)
  return (
    <>
      {mayManage && !group.deactivated ? (
        <EditGroup group={group} />
      ) : (
        <p dir="auto">
          {group.description === '' ? t('This group has no description.') : readableText(chat, group.description)}
        </p>
      )}
      <dl class="user-card-facts">
        <dt>{t('Size')}</dt>
        <dd>{countMembers(chat.groups.value, group.id)}</dd>
        {group.date_created !== null && (
          <>
            <dt>{t('Created')}</dt>
            <dd>
              {group.creator_id === null
                ? formatDate(new Date(group.date_created * 1000))
                : t.rich(
                    '{date} by {name}',
                    {},
                    {
                      date: formatDate(new Date(group.date_created * 1000)),
                      name: <bdi>{userName(chat, group.creator_id)}</bdi>,
                    },
                  )}
            </dd>
          </>
        )}
        {!group.is_system_group && (
          <>
            <dt>{t('Who can mention it')}</dt>
            <dd>{describeHolders(chat, holdersOf(chat, group.can_mention_group))}</dd>
            <dt>{t('Who manages it')}</dt>
            <dd>{describeHolders(chat, holdersOf(chat, group.can_manage_group))}</dd>
          </>
        )}
        {group.deactivated && (
          <>
            <dt>{t('Group')}</dt>
            <dd>{t('Deactivated')}</dd>
          </>
        )}
      </dl>
      <div class="form-buttons">
        <GroupMembershipButton group={group} action={action} />
      </div>
      <ActionStatus action={action} />
      {mayManage && <Deactivation group={group} />}
    </>
  )
}

const EditGroup = ({ group }: { group: UserGroup }) => {
  const chat = useChat()
  const form = useForm({
    values: { name: group.name, description: group.description },
    send: (values) =>
      chat.client.call('PATCH /user_groups/{user_group_id}', {
        user_group_id: group.id,
        ...changedTexts(values, group),
      }),
    done: t('Saved.'),
  })
  return (
    <Form of={form}>
      <GroupNameFields name={form.bind('name')} description={form.bind('description')} />
      <FormEnd of={form} label={t('Save')} isDisabled={isEmpty(changedTexts(form.values, group))} />
    </Form>
  )
}

const Deactivation = ({ group: { id: user_group_id, deactivated } }: { group: UserGroup }) => {
  const chat = useChat()
  const action = useAction()
  const deactivate = () =>
    action.run(async () => {
      try {
        await chat.client.call('POST /user_groups/{user_group_id}/deactivate', { user_group_id })
      } catch (error) {
        throw explainUses(chat, error)
      }
    }, t('The group is deactivated.'))
  const reactivate = () =>
    action.run(
      () => chat.client.call('PATCH /user_groups/{user_group_id}', { user_group_id, deactivated: false }),
      t('The group is active again.'),
    )
  return (
    <section class="dialog-group" aria-label={t('Deactivation')}>
      <p class="soft-text">
        {deactivated
          ? t('Nobody can mention the group, and no permission can be given to it.')
          : t('A group that a permission or another group uses cannot be deactivated.')}
      </p>
      <ActionStatus action={action} />
      <div class="form-buttons">
        {deactivated ? (
          <button type="button" class="button" onClick={reactivate}>
            {t('Reactivate the group')}
          </button>
        ) : (
          <ConfirmButton
            label={t('Deactivate the group')}
            confirmLabel={t('Deactivate it now')}
            onConfirm={deactivate}
          />
        )}
      </div>
    </section>
  )
}
