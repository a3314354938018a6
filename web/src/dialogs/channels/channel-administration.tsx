/** What an administrator of a channel changes rarely: its privacy, the retention of its messages, and the archive. */

import type { Params } from '@parley/client'
import type { Channel } from '@parley/client/realm'
import { type Action, ActionStatus, useAction } from '../../forms/action.js'
import { CheckField, ChoiceField, SelectField, TextField } from '../../forms/fields.js'
import { Form, FormEnd, useForm } from '../../forms/form.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { isAdministrator, mayInOrganization, mayReadChannel } from '../../realm/permissions.js'
import { ConfirmButton } from '../confirm-button.js'
import { permittedKinds, privacyChanges, privacyKinds, privacyOf } from './privacy.js'

interface ChannelPart {
  channel: Channel
}

/** The page "Privacy and more". */
export const ChannelAdministration = ({ channel }: ChannelPart) => {
  const chat = useChat()
  return (
    <>
      {mayReadChannel(chat, channel) && <PrivacyForm key={privacyOf(channel)} channel={channel} />}
      <OtherSettings channel={channel} />
      {isAdministrator(chat) && <RetentionForm key={channel.message_retention_days} channel={channel} />}
      <ArchiveButton channel={channel} />
    </>
  )
}

/** Changes a channel with an action. */
const useChannelUpdate = ({ stream_id }: Channel, action: Action) => {
  const chat = useChat()
  return (changes: Omit<Params<'PATCH /streams/{stream_id}'>, 'stream_id'>) =>
    action.run(() => chat.client.call('PATCH /streams/{stream_id}', { ...changes, stream_id }), t('Saved.'))
}

const PrivacyForm = ({ channel }: ChannelPart) => {
  const chat = useChat()
  const current = privacyOf(channel)
  const form = useForm({
    values: { privacy: current },
    send: ({ privacy }) =>
      chat.client.call('PATCH /streams/{stream_id}', {
        ...privacyChanges(channel, privacy),
        stream_id: channel.stream_id,
      }),
    done: t('Saved.'),
  })
  const permitted = permittedKinds(chat).map(({ value }) => value)
  return (
    <Form of={form}>
      <ChoiceField
        label={t('Who can read it')}
        options={privacyKinds.filter(({ value }) => value === current || permitted.includes(value))}
        {...form.bind('privacy')}
      />
      <FormEnd of={form} label={t('Change who can read it')} isSecondary isDisabled={form.values.privacy === current} />
    </Form>
  )
}

const OtherSettings = ({ channel }: ChannelPart) => {
  const chat = useChat()
  const action = useAction()
  const update = useChannelUpdate(channel, action)
  const { realm_default_streams = [] } = chat.organization.value
  const topicsPolicies: { value: Channel['topics_policy']; label: string }[] = [
    { value: 'inherit', label: t('As in the organization') },
    { value: 'allow_empty_topic', label: t('Messages may have no topic') },
    { value: 'disable_empty_topic', label: t('Every message needs a topic') },
    { value: 'empty_topic_only', label: t('No message has a topic') },
  ]
  const mayChooseTopics = mayInOrganization(chat, 'can_set_topics_policy_group')
  return (
    <section class="dialog-group" aria-label={t('Topics and new users')}>
      <SelectField
        label={t('Topics')}
        value={channel.topics_policy}
        options={topicsPolicies.filter(
          ({ value }) => mayChooseTopics || value === 'inherit' || value === channel.topics_policy,
        )}
        onChange={(topics_policy) => update({ topics_policy })}
      />
      {isAdministrator(chat) && !channel.invite_only && (
        <CheckField
          label={t('New users are subscribed to it')}
          hint={t('It is a default channel of the organization.')}
          value={realm_default_streams.includes(channel.stream_id)}
          onChange={(is_default_stream) => update({ is_default_stream })}
        />
      )}
      <ActionStatus action={action} />
    </section>
  )
}

type Retention = 'realm_default' | 'unlimited' | 'days'

const retentions: { value: Retention; label: string }[] = [
  { value: 'realm_default', label: t('As long as in the organization') },
  { value: 'unlimited', label: t('Without a limit') },
  { value: 'days', label: t('For a number of days') },
]

/** For how long messages are kept, in days; null: as in the organization, -1: without a limit. */
const retentionOf = (days: number | null): Retention => {
  if (days === null) return 'realm_default'
  return days === -1 ? 'unlimited' : 'days'
}

const RetentionForm = ({ channel: { stream_id, message_retention_days } }: ChannelPart) => {
  const chat = useChat()
  const current = retentionOf(message_retention_days)
  const form = useForm({
    values: { kind: current, days: current === 'days' ? String(message_retention_days) : '90' },
    send: ({ kind, days }) =>
      chat.client.call('PATCH /streams/{stream_id}', {
        stream_id,
        message_retention_days: kind === 'days' ? Number(days) : kind,
      }),
    done: t('Saved.'),
  })
  const { kind, days } = form.values
  return (
    <Form of={form} class="dialog-form dialog-group">
      <div class="dialog-two-columns">
        <SelectField label={t('Messages are kept')} options={retentions} {...form.bind('kind')} />
        {kind === 'days' && <TextField label={t('Days')} type="number" isRequired {...form.bind('days')} />}
      </div>
      <p class="soft-text">{t('Older messages are deleted for everyone.')}</p>
      <FormEnd
        of={form}
        label={t('Change how long messages are kept')}
        isSecondary
        isDisabled={kind === current && (current !== 'days' || days === String(message_retention_days))}
      />
    </Form>
  )
}

/** Archives the channel, or takes it out of the archive. */
const ArchiveButton = ({ channel }: ChannelPart) => {
  const chat = useChat()
  const action = useAction()
  const update = useChannelUpdate(channel, action)
  const { stream_id, is_archived } = channel
  const archive = () =>
    action.run(() => chat.client.call('DELETE /streams/{stream_id}', { stream_id }), t('The channel is archived.'))
  return (
    <section class="dialog-group" aria-label={t('Archive')}>
      <p class="soft-text">
        {is_archived
          ? t('The channel is archived: nobody can write in it.')
          : t('An archived channel can be read, and nobody can write in it.')}
      </p>
      <ActionStatus action={action} />
      <div class="form-buttons">
        {is_archived ? (
          <button type="button" class="button" onClick={() => update({ is_archived: false })}>
            {t('Take it out of the archive')}
          </button>
        ) : (
          <ConfirmButton label={t('Archive the channel')} confirmLabel={t('Archive it now')} onConfirm={archive} />
        )}
      </div>
    </section>
  )
}
