/** Exports: archives of the data of the organization. Who requested one downloads it. */

import type { Result } from '@parley/client'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Action, ActionStatus, useAction } from '../../forms/action.js'
import { ChoiceField } from '../../forms/fields.js'
import { Form, FormEnd, useForm } from '../../forms/form.js'
import { t } from '../../languages/t.js'
import { compareNames } from '../../members/member-rows.js'
import { type Chat, useChat } from '../../realm/chat.js'
import { userName } from '../../realm/names.js'
import { isOwner } from '../../realm/permissions.js'
import { formatMoment } from '../../ui/times.js'
import { ConfirmButton } from '../confirm-button.js'
import { PeopleList } from '../people-list.js'

type RealmExport = Result<'GET /export/realm'>['exports'][number]
type Consents = ReadonlyMap<number, boolean>

/** The page "Exports". */
export const DataExports = () => {
  const chat = useChat()
  const action = useAction()
  const exports = useSignal<readonly RealmExport[] | undefined>(undefined)
  const consents = useSignal<Consents>(new Map())
  const load = async () => {
    exports.value = (await chat.client.call('GET /export/realm')).exports
  }
  const loadConsents = async () => {
    const { export_consents } = await chat.client.call('GET /export/realm/consents')
    consents.value = new Map(export_consents.map(({ user_id, consented }) => [user_id, consented]))
  }
  useEffect(() => {
    void action.run(() => Promise.all([load(), loadConsents()]))
    return chat.realm.onEvent((event) => {
      if (event.type === 'realm_export') exports.value = event.exports
      else if (event.type === 'realm_export_consent') {
        consents.value = new Map(consents.peek()).set(event.user_id, event.consented)
      }
    })
  }, [])
  return (
    <>
      <p class="soft-text">
        {t(
          'An export is an archive of messages, files, users and channels. It can be downloaded for seven days, and the organization can make five exports in seven days.',
        )}
      </p>
      <NewExport onRequest={load} />
      <section class="dialog-group" aria-label={t('Exports')}>
        <h3>{t('Exports')}</h3>
        {exports.value?.length === 0 && <p class="soft-text">{t('There are no exports yet.')}</p>}
        <ul class="dialog-rows">
          {exports.value?.toReversed().map((one) => (
            <ExportLine key={one.id} of={one} action={action} onDelete={load} />
          ))}
        </ul>
        <ActionStatus action={action} />
      </section>
      <ConsentList consents={consents.value} />
    </>
  )
}

type Kind = 'public' | 'private'

const kinds: { value: Kind; label: string; hint: string }[] = [
  {
    value: 'public',
    label: t('Public data'),
    hint: t('Messages of public channels, their files, users, channels and settings.'),
  },
  {
    value: 'private',
    label: t('Also private data of users who consented'),
    hint: t('Their direct messages and private channels. An owner has to be among them.'),
  },
]

const NewExport = ({ onRequest }: { onRequest: () => Promise<void> }) => {
  const chat = useChat()
  const form = useForm({
    values: { kind: 'public' as Kind },
    send: async ({ kind }) => {
      await chat.client.call('POST /export/realm', { export_type: kind === 'public' ? 1 : 2 })
      await onRequest()
    },
    done: t('The export has begun. It appears here when it is ready.'),
  })
  return (
    <Form of={form}>
      <ChoiceField label={t('What the archive contains')} options={kinds} {...form.bind('kind')} />
      {isOwner(chat) && <p class="field-hint">{t('Of an owner, the archive also has the audit log.')}</p>}
      <FormEnd of={form} label={t('Start an export')} />
    </Form>
  )
}

interface ExportLineProps {
  of: RealmExport
  action: Action
  onDelete: () => Promise<void>
}

const ExportLine = ({ of: one, action, onDelete }: ExportLineProps) => {
  const chat = useChat()
  const { id: export_id, export_time, export_type, export_url, acting_user_id } = one
  const time = formatMoment(new Date(export_time * 1000))
  const isStored = !one.pending && one.failed_timestamp === null && one.deleted_timestamp === null
  const remove = async () => {
    await chat.client.call('DELETE /export/realm/{export_id}', { export_id })
    await onDelete()
  }
  return (
    <li class="dialog-row">
      <div class="dialog-row-main">
        <p class="dialog-row-title">{export_type === 1 ? t('Public data') : t('Public data and private data')}</p>
        <p class="soft-text">
          {time} · {t.rich('by {name}', {}, { name: <bdi>{userName(chat, acting_user_id)}</bdi> })} ·{' '}
          {describeState(chat, one)}
        </p>
      </div>
      {export_url !== null && (
        // The address is of the organization's own host, whatever address this page has.
        <a
          class="button"
          href={new URL(export_url).pathname}
          download
          aria-label={t('Download the export of {time}', { time })}
        >
          {t('Download')}
        </a>
      )}
      {isStored && (
        <ConfirmButton
          label={t('Delete')}
          confirmLabel={t('Delete the archive of {time} now', { time })}
          onConfirm={() => action.run(remove, t('The archive was deleted.'))}
        />
      )}
    </li>
  )
}

const describeState = (
  chat: Chat,
  { pending, failed_timestamp, deleted_timestamp, export_url, acting_user_id }: RealmExport,
): string => {
  if (pending) return t('in progress')
  if (failed_timestamp !== null) return t('it failed')
  if (deleted_timestamp !== null)
    return t('deleted on {time}', { time: formatMoment(new Date(deleted_timestamp * 1000)) })
  if (export_url !== null) return t('ready')
  return t(acting_user_id === chat.ownUserId ? 'expired' : 'only its requester can download it')
}

const ConsentList = ({ consents }: { consents: Consents }) => {
  const chat = useChat()
  const users = [...chat.users.value.values()].filter(({ user_id }) => consents.has(user_id)).sort(compareNames)
  const count = [...consents.values()].filter(Boolean).length
  return (
    <section class="dialog-group" aria-label={t('Consent to the export of private data')}>
      <h3>{t('Consent to the export of private data')}</h3>
      <p class="soft-text">
        {t(
          '{count, number} of {total, plural, one {# user} other {# users}} consented. Users change this in their own settings.',
          { count, total: consents.size },
        )}
      </p>
      <PeopleList
        label={t('Users and their consent')}
        users={users}
        renderEnd={({ user_id }) => (
          <span class="soft-text">{consents.get(user_id) === true ? t('Consented') : t('Did not consent')}</span>
        )}
      />
    </section>
  )
}
