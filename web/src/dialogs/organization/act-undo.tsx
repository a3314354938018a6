/** Undoing an act of the audit log: what it would do, what was changed since, what stays, and the button. */

import type { Result } from '@parley/client'
import { useSignal } from '@preact/signals'
import { ActionStatus, FailureNote, useAction } from '../../forms/action.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { type Act, describeChange, describeColumns, writeValue } from './audit-texts.js'

type Plan = Result<'GET /realm/audit_log/{act_id}/undo'>

/** Changes and conflicts that are listed. */
const MOST_LISTED = 20

interface ActUndoProps {
  act: Act
  onUndone: () => void
  /** Shows another act of the list. */
  show: (id: number) => void
}

/** The line below an act: what it undid or what undid it, and a button to undo it. */
export const ActUndo = ({ act, onUndone, show }: ActUndoProps) => {
  const chat = useChat()
  const action = useAction()
  const plan = useSignal<Plan | undefined>(undefined)
  const { id, can_undo, undoes, undone_by } = act
  const load = async () => {
    plan.value = await chat.client.call('GET /realm/audit_log/{act_id}/undo', { act_id: id })
  }
  const undo = async () => {
    const isUndone = await action.run(() => chat.client.call('POST /realm/audit_log/{act_id}/undo', { act_id: id }))
    plan.value = undefined
    if (isUndone) onUndone()
  }
  return (
    <>
      <div class="act-links">
        {undoes !== null && (
          <button type="button" class="button" onClick={() => show(undoes)}>
            {t('Undid an earlier act')}
          </button>
        )}
        {undone_by !== null && (
          <button type="button" class="button" onClick={() => show(undone_by)}>
            {t('Was undone later')}
          </button>
        )}
        {can_undo && plan.value === undefined && (
          <button
            type="button"
            class="button"
            disabled={action.state.value.isBusy}
            onClick={() => action.run(load)}
            aria-label={t('Undo: {act}', { act: describeChange(chat, act.changes[0] ?? noChange) })}
          >
            {t('Undo')}
          </button>
        )}
      </div>
      {plan.value !== undefined && (
        <PlanView
          plan={plan.value}
          isBusy={action.state.value.isBusy}
          undo={undo}
          cancel={() => {
            plan.value = undefined
          }}
        />
      )}
      <ActionStatus action={action} />
    </>
  )
}

/** Acts that can be undone have a change. */
const noChange: Act['changes'][number] = { table: '', key: {}, before: null, after: null }

interface PlanViewProps {
  plan: Plan
  isBusy: boolean
  undo: () => void
  cancel: () => void
}

const PlanView = ({ plan, isBusy, undo, cancel }: PlanViewProps) => {
  const { can_undo, obstacle, changed_since, remains } = plan
  return (
    <section class="act-undo" aria-label={t('Undoing this act')}>
      {changed_since.length > 0 ? <Conflicts plan={plan} /> : <PlannedChanges plan={plan} />}
      <FailureNote reason={obstacle ?? ''} />
      {can_undo && remains.length > 0 && (
        <>
          <h3>{t('This stays as it is')}</h3>
          <ul class="plain-points">
            {remains.map((one) => (
              <li key={one}>{remainderTexts[one]}</li>
            ))}
          </ul>
        </>
      )}
      <div class="form-buttons">
        {can_undo && (
          <button type="button" class="button button-primary" disabled={isBusy} onClick={undo}>
            {t('Undo now')}
          </button>
        )}
        <button type="button" class="button" onClick={cancel}>
          {can_undo ? t('Cancel') : t('Close')}
        </button>
      </div>
    </section>
  )
}

const remainderTexts: Readonly<Record<Plan['remains'][number], string>> = {
  delivered: t('Mails, push notifications and calls of webhooks have left the server.'),
  notices: t('Notices of the Notification Bot about the act stay in their topics and conversations.'),
  read_state: t('What was marked as read stays read.'),
  credentials: t('Sessions, keys, passwords and invitations that ended do not come back.'),
  history: t('The history of the messages shows both moves.'),
}

/** What the undo changes: how it will be. */
const PlannedChanges = ({ plan: { changes } }: { plan: Plan }) => {
  const chat = useChat()
  const shown = changes.slice(0, MOST_LISTED)
  return (
    <>
      <h3>{t('The undo does this')}</h3>
      <ul class="plain-points">
        {shown.map((change, index) => (
          <li key={index} dir="auto">
            {describeChange(chat, change)}
            {change.before !== null &&
              change.after !== null &&
              describeColumns(change).map(({ name, after }) => (
                <div key={name} class="soft-text">
                  <code>{name}</code>: <ins dir="auto">{after ?? '—'}</ins>
                </div>
              ))}
          </li>
        ))}
        {changes.length > shown.length && (
          <li>{t('And {count, plural, one {# more} other {# more}}', { count: changes.length - shown.length })}</li>
        )}
      </ul>
    </>
  )
}

/** What was changed since the act. */
const Conflicts = ({ plan: { changed_since } }: { plan: Plan }) => {
  const chat = useChat()
  const shown = changed_since.slice(0, MOST_LISTED)
  return (
    <>
      <h3>{t('It cannot be undone: this was changed since')}</h3>
      <ul class="plain-points">
        {shown.map(({ table, key, column, left, now }, index) => (
          <li key={index} dir="auto">
            {describeChange(chat, {
              table,
              key,
              before: column === null && left === false ? null : {},
              after: column === null && now === false ? null : {},
            })}
            {column !== null && (
              <div class="soft-text">
                <code>{column}</code>: <del dir="auto">{writeValue(left)}</del> <ins dir="auto">{writeValue(now)}</ins>
              </div>
            )}
          </li>
        ))}
        {changed_since.length > shown.length && (
          <li>
            {t('And {count, plural, one {# more} other {# more}}', { count: changed_since.length - shown.length })}
          </li>
        )}
      </ul>
    </>
  )
}
