/** The form that creates an event subscription, and the secret that it answers. */
import type { Channel } from '@parley/client/realm'
import { useSignal } from '@preact/signals'
import { CheckField, SelectField, TextField } from '../../forms/fields.js'
import { Form, FormEnd, useForm } from '../../forms/form.js'
import { compareTexts } from '../../languages/locale.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { fullName } from '../../realm/names.js'
import { SecretField } from './subscription-line.js'
import { type SinkKind, type SubscriptionList, sinkNames } from './subscription-texts.js'

/** The longest name, in characters. */
const MAX_NAME_LENGTH = 60
/** Of a select field: no narrow. */
const ALL_CHANNELS = 0

interface NewSubscriptionProps {
  of: Pick<SubscriptionList, 'sinks' | 'topic_prefix'>
  /** the user and their bots */
  accountIds: readonly number[]
  onCreate: () => Promise<void>
}

/** The form. */
export const NewSubscription = ({ of: { sinks, topic_prefix }, accountIds, onCreate }: NewSubscriptionProps) => {
  const chat = useChat()
  const created = useSignal<{ name: string; secret: string } | undefined>(undefined)
  const form = useForm({
    values: {
      name: '',
      accountId: accountIds[0] ?? 0,
      sink: 'http' as SinkKind,
      address: '',
      types: 'message',
      channelId: ALL_CHANNELS,
      topic: '',
      isSnapshotFirst: false,
    },
    async send(values) {
      const name = values.name.trim()
      const { secret } = await chat.client.call('POST /event_subscriptions', {
        name,
        user_id: values.accountId,
        sink: values.sink,
        address: values.address.trim(),
        event_types: readTypes(values.types),
        narrow: composeNarrow(chat.channels.value.get(values.channelId), values.topic.trim()),
        snapshot_first: values.isSnapshotFirst,
      })
      created.value = values.sink === 'http' ? { name, secret } : undefined
      await onCreate()
    },
    done: ({ name }) => t('{name} was created.', { name: name.trim() }),
    renews: ['name', 'address'],
  })
  const channels = [...chat.subscriptions.value.keys()]
    .flatMap((id) => chat.channels.value.get(id) ?? [])
    .sort((one, other) => compareTexts(one.name, other.name))
  return (
    <Form of={form} class="dialog-form dialog-group">
      <h3>{t('A new event subscription')}</h3>
      <div class="dialog-two-columns">
        <TextField label={t('Name of the subscription')} isRequired most={MAX_NAME_LENGTH} {...form.bind('name')} />
        <SelectField
          label={t('Events of')}
          options={accountIds.map((value) => ({ value, label: fullName(chat, value) }))}
          {...form.bind('accountId')}
        />
      </div>
      {sinks.length > 1 && (
        <SelectField
          label={t('Receiver')}
          options={sinks.map((value) => ({ value, label: sinkNames[value] }))}
          {...form.bind('sink')}
        />
      )}
      {form.values.sink === 'http' ? (
        <TextField label={t('Address of the receiver')} type="url" isRequired {...form.bind('address')} />
      ) : (
        <TextField
          label={form.values.sink === 'nats' ? t('Subject') : t('Topic of Kafka')}
          hint={t('It begins with {prefix}', { prefix: topic_prefix })}
          isRequired
          {...form.bind('address')}
        />
      )}
      <TextField
        label={t('Types of events')}
        hint={t('With spaces between them, such as: message reaction. Without any, the receiver gets all.')}
        {...form.bind('types')}
      />
      <div class="dialog-two-columns">
        <SelectField
          label={t('Messages of')}
          options={[
            { value: ALL_CHANNELS, label: t('All conversations') },
            ...channels.map(({ stream_id, name }) => ({ value: stream_id, label: name })),
          ]}
          {...form.bind('channelId')}
        />
        {form.values.channelId !== ALL_CHANNELS && (
          <TextField label={t('Only this topic')} hint={t('Optional')} {...form.bind('topic')} />
        )}
      </div>
      <CheckField
        label={t('Begin with a snapshot')}
        hint={t('The first delivery is the state to which the events apply.')}
        {...form.bind('isSnapshotFirst')}
      />
      {created.value !== undefined && <SecretField {...created.value} />}
      <FormEnd of={form} label={t('Create the subscription')} />
    </Form>
  )
}

const readTypes = (text: string): string[] | null => {
  const types = text.split(/[\s,]+/).filter((type) => type !== '')
  return types.length === 0 ? null : types
}

/** The server compares the names of channels and topics. */
const composeNarrow = (channel: Channel | undefined, topic: string): [string, string][] =>
  channel === undefined
    ? []
    : [['channel', channel.name], ...(topic === '' ? [] : [['topic', topic] satisfies [string, string]])]
