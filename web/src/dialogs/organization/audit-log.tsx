/** The audit log: who did which administrative act, and what it changed. Owners read it. */

import type { Params, Result } from '@parley/client'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ActionStatus, useAction } from '../../forms/action.js'
import { SelectField, TextField } from '../../forms/fields.js'
import { bind } from '../../forms/form.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { userName } from '../../realm/names.js'
import { formatMoment } from '../../ui/times.js'
import { PeoplePicker } from '../people-picker.js'
import { ActUndo } from './act-undo.js'
import { type Act, describeAct, describeChange, describeColumns } from './audit-texts.js'

type Subject = NonNullable<Params<'GET /realm/audit_log'>['subject']>

/** Acts that are fetched at once. */
const PAGE = 50

const subjects: { value: Subject | 'all'; label: string }[] = [
  { value: 'all', label: t('Everything') },
  { value: 'users', label: t('Users and bots') },
  { value: 'channels', label: t('Channels and subscriptions') },
  { value: 'groups', label: t('User groups') },
  { value: 'organization', label: t('Settings of the organization') },
  { value: 'log_ins', label: t('Log-ins with providers') },
  { value: 'second_factors', label: t('Second factors') },
  { value: 'invitations', label: t('Invitations') },
  { value: 'exports', label: t('Exports') },
]

/** The page "Audit log". */
export const AuditLog = () => {
  const chat = useChat()
  const action = useAction()
  const users = useSignal<number[]>([])
  const subject = useSignal<Subject | 'all'>('all')
  const from = useSignal('')
  const to = useSignal('')
  const acts = useSignal<readonly Act[] | undefined>(undefined)
  const hasMore = useSignal(false)
  const fetchActs = async (before: number | undefined) => {
    const [user_id] = users.peek()
    const query: Params<'GET /realm/audit_log'> = {
      limit: PAGE,
      ...(before !== undefined && { before }),
      ...(user_id !== undefined && { user_id }),
      ...(subject.peek() !== 'all' && { subject: subject.peek() as Subject }),
      ...(from.peek() !== '' && { since: startOfDay(from.peek(), 0) }),
      ...(to.peek() !== '' && { until: startOfDay(to.peek(), 1) }),
    }
    const fetched: Result<'GET /realm/audit_log'>['acts'] = (await chat.client.call('GET /realm/audit_log', query)).acts
    acts.value = [...(before === undefined ? [] : (acts.peek() ?? [])), ...fetched]
    hasMore.value = fetched.length === PAGE
  }
  const reload = () => action.run(() => fetchActs(undefined), t('The act was undone.'))
  /** Shows an act that another one names: it moves the focus there, and fetches older acts until it is listed. */
  const show = (id: number) =>
    action.run(async () => {
      while (hasMore.peek() && (acts.peek()?.at(-1)?.id ?? 0) > id) await fetchActs(acts.peek()?.at(-1)?.id)
      if (acts.peek()?.some((act) => act.id === id) !== true) throw new Error(t('This act is not in the list.'))
      requestAnimationFrame(() => document.getElementById(`act-${id}`)?.focus())
    })
  useEffect(() => {
    void action.run(() => fetchActs(undefined))
  }, [users.value, subject.value, from.value, to.value])
  return (
    <>
      <div class="dialog-two-columns">
        <PeoplePicker
          label={t('Who')}
          value={users.value}
          onChange={(ids) => {
            users.value = ids.slice(-1)
          }}
        />
        <SelectField label={t('What')} options={subjects} {...bind(subject)} />
        <TextField label={t('From')} type="date" {...bind(from)} />
        <TextField label={t('Until')} type="date" {...bind(to)} />
      </div>
      {acts.value?.length === 0 && <p class="soft-text">{t('There is no such act.')}</p>}
      <ul class="dialog-rows" aria-label={t('Acts')}>
        {acts.value?.map((act) => (
          <ActLine key={act.id} act={act} onUndone={reload} show={show} />
        ))}
      </ul>
      <ActionStatus action={action} />
      {hasMore.value && (
        <div class="form-buttons">
          <button
            type="button"
            class="button"
            disabled={action.state.value.isBusy}
            onClick={() => action.run(() => fetchActs(acts.peek()?.at(-1)?.id))}
          >
            {t('Show older acts')}
          </button>
        </div>
      )}
    </>
  )
}

/** When a day of the field began in the time zone of the browser, in seconds. @param shift how many days later */
const startOfDay = (date: string, shift: number): number => {
  const day = new Date(`${date}T00:00:00`)
  day.setDate(day.getDate() + shift)
  return Math.floor(day.getTime() / 1000)
}

/** Changes of an act that are listed. */
const MOST_CHANGES = 20

interface ActLineProps {
  act: Act
  onUndone: () => void
  show: (id: number) => void
}

const ActLine = ({ act, onUndone, show }: ActLineProps) => {
  const chat = useChat()
  const { user_id, timestamp, address, action, changes } = act
  const shown = changes.slice(0, MOST_CHANGES)
  return (
    <li class="audit-act" id={`act-${act.id}`} tabIndex={-1}>
      <p>
        {user_id === null ? (
          t('Without an account')
        ) : (
          <a href={`#user/${user_id}`}>
            <bdi>{userName(chat, user_id)}</bdi>
          </a>
        )}
        <span class="soft-text"> · {formatMoment(new Date(timestamp * 1000))}</span>
      </p>
      <details>
        <summary dir="auto">{describeAct(chat, act)}</summary>
        <dl class="audit-facts">
          {shown.map((change, index) => (
            <div key={index}>
              {/* The summary says what a single change is. */}
              {changes.length > 1 && <dt dir="auto">{describeChange(chat, change)}</dt>}
              {describeColumns(change).map(({ name, before, after }) => (
                <dd key={name}>
                  <code>{name}</code>: {before !== undefined && <del dir="auto">{before}</del>}{' '}
                  {after !== undefined && <ins dir="auto">{after}</ins>}
                </dd>
              ))}
            </div>
          ))}
          {changes.length > shown.length && (
            <div>
              <dt>{t('And {count, plural, one {# more} other {# more}}', { count: changes.length - shown.length })}</dt>
            </div>
          )}
          <div>
            <dt>{t('Call')}</dt>
            <dd>
              {address === '' ? (
                <code>{action}</code>
              ) : (
                t.rich('{call} from {address}', {}, { call: <code>{action}</code>, address: <code>{address}</code> })
              )}
            </dd>
          </div>
        </dl>
      </details>
      <ActUndo act={act} onUndone={onUndone} show={show} />
    </li>
  )
}
