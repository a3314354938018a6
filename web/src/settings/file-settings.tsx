/** The files that the user uploaded: their sizes, the messages that link to them, and deleting them. */

import type { Result } from '@parley/client'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ConfirmButton } from '../dialogs/confirm-button.js'
import { type Action, ActionStatus, useAction } from '../forms/action.js'
import { SelectField, TextField } from '../forms/fields.js'
import { bind } from '../forms/form.js'
import { compareTexts } from '../languages/locale.js'
import { t } from '../languages/t.js'
import { conversationOfMessage } from '../messages/parts/conversation-bar.js'
import { useChat } from '../realm/chat.js'
import { open } from '../routing/location.js'
import { conversationView } from '../routing/views.js'
import { ShowMore } from '../ui/show-more.js'
import { formatSize } from '../ui/sizes.js'
import { formatMoment } from '../ui/times.js'

type Files = Result<'GET /attachments'>
type UploadedFile = Files['attachments'][number]

const orders = {
  newest: { label: t('Newest first'), compare: (one: UploadedFile, other: UploadedFile) => other.id - one.id },
  largest: { label: t('Largest first'), compare: (one: UploadedFile, other: UploadedFile) => other.size - one.size },
  name: {
    label: t('By name'),
    compare: (one: UploadedFile, other: UploadedFile) => compareTexts(one.name, other.name),
  },
  unused: {
    label: t('Those in no message first'),
    compare: (one: UploadedFile, other: UploadedFile) => one.messages.length - other.messages.length,
  },
}
type Order = keyof typeof orders

const orderOptions = (Object.keys(orders) as Order[]).map((value) => ({ value, label: orders[value].label }))

/** Files that are shown at first, and with each press of the button. */
const STEP = 100

/** The page "Files". */
export const FileSettings = () => {
  const action = useAction()
  const files = useFiles(action)
  const words = useSignal('')
  const order = useSignal<Order>('newest')
  const most = useSignal(STEP)
  if (files === undefined) {
    return action.state.value.error === '' ? <p class="soft-text">{t('Loading…')}</p> : <ActionStatus action={action} />
  }
  const wanted = words.value.trim().toLowerCase()
  const found = files.attachments
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort(orders[order.value].compare)
  return (
    <>
      <SpaceUsed files={files} />
      {files.attachments.length > 0 && (
        <div class="dialog-two-columns">
          <TextField label={t('Find a file')} type="search" {...bind(words)} />
          <SelectField label={t('Order')} options={orderOptions} {...bind(order)} />
        </div>
      )}
      <ActionStatus action={action} />
      {found.length === 0 && files.attachments.length > 0 && <p class="soft-text">{t('No file has these words.')}</p>}
      <ul class="dialog-rows" aria-label={t('Your files')}>
        {found.slice(0, most.value).map((file) => (
          <FileLine key={file.id} file={file} action={action} />
        ))}
      </ul>
      <ShowMore total={found.length} most={most} step={STEP} />
    </>
  )
}

/** The files as the server has them; undefined until they are fetched. */
const useFiles = (action: Action): Files | undefined => {
  const chat = useChat()
  const files = useSignal<Files | undefined>(undefined)
  useEffect(() => {
    const load = () =>
      action.run(async () => {
        files.value = await chat.client.call('GET /attachments')
      })
    void load()
    // An event that arrives while the list is fetched may be in it or not, so the list is fetched again.
    return chat.realm.onEvent(({ type }) => {
      if (type === 'attachment' || type === 'reset') void load()
    })
  }, [chat])
  return files.value
}

const SpaceUsed = ({ files: { attachments, upload_space_used } }: { files: Files }) => {
  const quota = useChat().organization.value.realm_upload_quota_mib
  const own = attachments.reduce((sum, { size }) => sum + size, 0)
  const used = formatSize(upload_space_used)
  return (
    <p class="soft-text">
      {attachments.length === 0
        ? t('You have uploaded no files.')
        : t(
            '{count, plural, one {You have uploaded # file, {size} in all.} other {You have uploaded # files, {size} in all.}}',
            { count: attachments.length, size: formatSize(own) },
          )}{' '}
      {typeof quota === 'number'
        ? t('The files of the organization take {used} of {quota}.', { used, quota: formatSize(quota * 1024 * 1024) })
        : t('The files of the organization take {used}.', { used })}
    </p>
  )
}

const FileLine = ({ file, action }: { file: UploadedFile; action: Action }) => {
  const chat = useChat()
  const { id: attachment_id, name, path_id, size, create_time, messages } = file
  const remove = () =>
    action.run(
      () => chat.client.call('DELETE /attachments/{attachment_id}', { attachment_id }),
      t('{name} was deleted.', { name }),
    )
  const show = (message_id: number) =>
    action.run(async () => {
      const { message } = await chat.client.call('GET /messages/{message_id}', {
        message_id,
        allow_empty_topic_name: true,
      })
      open(conversationView(conversationOfMessage(chat, message), message_id))
    })
  return (
    <li class="bot-entry">
      <div class="editable-entry-head">
        <div class="dialog-row-main">
          <a class="dialog-row-title" href={`/user_uploads/${path_id}`} target="_blank" rel="noreferrer">
            <bdi>{name}</bdi>
          </a>
          <p class="field-hint">
            {formatSize(size)} · {formatMoment(new Date(create_time))}
            {messages.length === 0 && ` · ${t('in no message')}`}
          </p>
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: A fieldset has a border and a legend. */}
        <div class="form-buttons" role="group" aria-label={name}>
          <ConfirmButton label={t('Delete')} confirmLabel={t('Delete {name} now', { name })} onConfirm={remove} />
        </div>
      </div>
      {messages.length > 0 && (
        <details>
          <summary>
            {t('{count, plural, one {In # message} other {In # messages}}', { count: messages.length })}
          </summary>
          <ul class="file-messages">
            {messages.map(({ id, date_sent }) => (
              <li key={id}>
                <button type="button" class="file-message" onClick={() => show(id)}>
                  {t('Message of {time}', { time: formatMoment(new Date(date_sent)) })}
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}
