/**
 * Undoes administrative acts. The protocol has no such calls: these are ours.
 *
 * Source: protocol/endpoints.md 3.11.
 */
import { z } from 'zod'
import { isOwner } from '#rules/roles.js'
import { realmHost, realmUrl } from '../../../config/hosts.js'
import { openWays } from '../../../config/log-in-ways.js'
import { hideAddresses } from '../../../domain/audit/audit.js'
import type { UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { errors } from '../../../domain/protocol/errors.js'
import { accountTexts } from '../../../domain/readers/reader-texts.js'
import { ChangedSinceActError, type Conflict } from '../../../domain/undo/row-conflicts.js'
import { remainders } from '../../../domain/undo/undo-plan.js'
import { planUndo, requireReversibleActs, type UndoAuthor, undoActs } from '../../../store/undo/undo-act.js'
import type { UndoSite } from '../../../store/undo/undo-rows.js'
import { checkCredentials } from '../../auth/caller-credentials.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { idInPath } from '../../call/params.js'
import { auditChange } from './audit-log.js'

const condition = 'Owners undo every act, others their own; the caller may do the inverse act now.'

const conflict = z.object({
  table: z.string(),
  key: z.record(z.string(), z.unknown()),
  column: z.string().nullable().describe('null: the row itself was added or removed'),
  left: z.unknown().describe('as the act left it; null for callers who are no owners'),
  now: z.unknown(),
})

type UndoCall = Pick<Call, 'app' | 'caller' | 'state'>

const siteOf = ({ app, state }: UndoCall): UndoSite => {
  const { string_id } = state.realm
  return {
    host: realmHost(string_id, app.config),
    realm_url: realmUrl(string_id, app.config),
    ways: openWays(app.config, state),
    queues: app.store.queues,
  }
}

const mayUndo =
  (user: UserRow) =>
  (user_id: number | null): boolean =>
    isOwner(user) || user_id === user.id

/** Between the parts of a large undo, the account, the session or the API key of the caller can end. */
const findAuthor =
  ({ caller }: UndoCall): UndoAuthor =>
  (state) => {
    const user = state.users.get(caller.id)
    if (user?.is_active !== true || user.key_version !== caller.user.key_version) throw errors.invalidApiKey()
    checkCredentials(state, caller)
    return user
  }

/** What others did since is shown to owners, who read the audit log. */
const hideConflicts = (conflicts: readonly Conflict[], viewer: UserRow, state: RealmState): Conflict[] =>
  conflicts.map((one) => {
    const { column, table, key } = one
    if (!isOwner(viewer)) return { ...one, left: null, now: null }
    const name = column ?? ''
    const [shown] = hideAddresses(
      [{ table, key, before: { [name]: one.left }, after: { [name]: one.now } }],
      viewer,
      state,
    )
    return { ...one, left: shown?.before?.[name] ?? null, now: shown?.after?.[name] ?? null }
  })

export const getUndo = endpoint({
  method: 'GET',
  path: '/realm/audit_log/{act_id}/undo',
  summary: 'Tells what undoing an administrative act would do, what changed since, and what would stay.',
  callers: 'account',
  condition,
  params: { act_id: idInPath() },
  noExample: 'The acts of the organization of the examples have ids that vary.',
  response: z.object({
    act_ids: z.array(z.int()).describe('the acts of the call that made the act, the newest first'),
    can_undo: z.boolean(),
    obstacle: z.string().nullable().describe('the refusal that the undo would meet'),
    changes: z.array(auditChange).describe('`before` is now, `after` is before the act'),
    changed_since: z.array(conflict),
    remains: z
      .array(z.enum(remainders))
      .describe(
        'what is not taken back: mails, push notifications and calls of webhooks (`delivered`), notices, what was marked as read, credentials and sessions that ended, the history of moved messages',
      ),
  }),
  errors: [errors.actAlreadyUndone, errors.actNotReversible],
  async handle(call) {
    const { caller, write, params, state } = call
    const acts = await requireReversibleActs(write, params.act_id, mayUndo(caller.user))
    const { obstacle, changed_since, changes, ...plan } = await planUndo(write, caller.user, acts, siteOf(call))
    return {
      ...plan,
      can_undo: obstacle === undefined && changed_since.length === 0,
      obstacle: obstacle === undefined ? null : String(obstacle.bodyIn(accountTexts(caller.user)).msg),
      changes: hideAddresses(changes, caller.user, state),
      changed_since: hideConflicts(changed_since, caller.user, state),
    }
  },
})

export const undoAct = endpoint({
  method: 'POST',
  path: '/realm/audit_log/{act_id}/undo',
  summary: 'Undoes an administrative act of the last 30 days, if everything still is as the act left it.',
  callers: 'account',
  keyScope: 'administer',
  condition,
  commitsInParts: true,
  params: { act_id: idInPath() },
  noExample: 'The acts of the organization of the examples have ids that vary.',
  response: z.object({ act_ids: z.array(z.int()).describe('the acts that were undone, the newest first') }),
  errors: [errors.actAlreadyUndone, errors.actNotReversible, errors.changedSinceAct],
  async handle(call) {
    const { caller, write, params, realm } = call
    const acts = await requireReversibleActs(write, params.act_id, mayUndo(caller.user))
    try {
      await undoActs(write, findAuthor(call), acts, siteOf(call))
    } catch (error) {
      if (!(error instanceof ChangedSinceActError)) throw error
      const changed_since = hideConflicts(error.conflicts, caller.user, realm.state).map((one) => ({ ...one }))
      const refusal = errors.changedSinceAct({ changed_since })
      throw error.isFinal ? refusal.asFinal() : refusal
    }
    return { act_ids: acts.map(({ id }) => id) }
  },
})
