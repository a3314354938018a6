/**
 * Administration of a deployment without a gateway, for the command line and the demo organization.
 *
 * It writes through the same store functions as a gateway, so running gateways receive every change at once.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { secondsNow } from '#rules/time.js'
import type { Config } from '../config/config.js'
import { type DeploymentConfig, readDeployment } from '../config/deployment.js'
import { realmHost, realmUrl } from '../config/hosts.js'
import { type LogInConfig, openWays } from '../config/log-in-ways.js'
import { composeUpdate } from '../domain/log/row-changes.js'
import type { RealmRow, UserRow } from '../domain/log/rows.js'
import { composeSilentEntry } from '../domain/log/silent-entry.js'
import { runSteps, type Step } from '../domain/log/steps.js'
import type { Directory } from '../domain/log-in/directories.js'
import type { SynchronizationPlan } from '../domain/log-in/directory-synchronization.js'
import { errors } from '../domain/protocol/errors.js'
import { type RealmQuotas, setQuotas } from '../domain/realm/realm-changes.js'
import { realmDeactivated } from '../domain/realm/realm-entries.js'
import { renewKey, requireUser } from '../domain/users/accounts/account-changes.js'
import { type AccountRight, checkNotLast, setAccountRight } from '../domain/users/accounts/account-rights.js'
import { openCell } from '../store/cell/cell.js'
import { openPools } from '../store/cell/pools.js'
import { type Adoption, adoptDatabase } from '../store/deployment/adopt.js'
import { openDatabaseScope } from '../store/deployment/database-scope.js'
import { findForeignClaim, type MembershipConfig } from '../store/deployment/examine-services.js'
import type { FileStorage } from '../store/files/file-storage.js'
import { openFileStorage, type StorageConfig } from '../store/files/open-file-storage.js'
import { commit, commitEntries } from '../store/log/change.js'
import { changeRealm } from '../store/log/change-realm.js'
import type { Realm } from '../store/log/realm.js'
import { type Actor, WriteContext } from '../store/log/write-context.js'
import { beginRun, planRun } from '../store/log-in/directory-runs.js'
import { readDirectory } from '../store/log-in/directory-snapshot.js'
import type { DeletedMessageFilter } from '../store/messages/editing/deleted-messages.js'
import { restoreMessages } from '../store/messages/editing/restore-messages.js'
import { findDatabaseProblem, migrate } from '../store/migrations.js'
import { createRealm } from '../store/realm/create-realm.js'
import { deleteRealmRows, freedName, hasOwnName, removeRealmFiles } from '../store/realm/realm-deletion.js'
import {
  closeLog,
  copyBulk,
  copyRealmRows,
  deleteBulk,
  deleteMovedRows,
  findMoveTarget,
  loadRealmTables,
  MOVE_LOCK,
  markAsMoved,
  NotMovedError,
  openLog,
  waitForTransactions,
} from '../store/realm/realm-move.js'
import { openQueues } from '../store/register/event-queues.js'
import { endSecondFactor } from '../store/second-factor/end-second-factor.js'
import { openCopySql, type Sql } from '../store/sql.js'
import { type PlannedUndo, planUndo, requireReversibleActs, undoActs } from '../store/undo/undo-act.js'
import type { UndoSite } from '../store/undo/undo-rows.js'
import { commitDeactivation, commitReactivation } from '../store/users/account-deactivation.js'
import { hashPassword, loadPasswordHash, storePassword } from '../store/users/passwords.js'
import { createUsers, type NewUser } from '../store/users/users.js'
import { findTargetProblem, type MoveAddresses } from './move-target.js'
import { type CreatedRealm, createRealmWithOwner, type NewOwner } from './new-realm.js'
import { requireStrongPassword } from './strong-password.js'

/** The variables with the addresses of Postgres, Redis and the gateway, and with the deployment's own decisions. */
export type AdministrationConfig = DeploymentConfig &
  Pick<Config, 'DATABASE_URL' | 'REDIS_URL' | 'BASE_DOMAIN' | 'ROOT_REALM' | 'PUBLIC_URL' | 'HOST' | 'PORT'> &
  Partial<LogInConfig>

export interface Administration extends AsyncDisposable {
  /** The primary, for commands that only read. */
  readonly sql: Sql
  /** Migrates the database. @returns the names of the migrations that were applied now */
  migrate(): Promise<string[]>
  /** Creates an organization. @returns its id. Throws the driver's unique violation when the name is taken. */
  createRealm(realm: { string_id: string; name: string; description?: string }): Promise<number>
  /** Creates an organization and its owner, or neither. Throws BAD_REQUEST. */
  createRealmWithOwner(realm: { string_id: string; name: string }, owner: NewOwner): Promise<CreatedRealm>
  /** Loads the current state of an organization; undefined when there is none with this string_id. */
  realm(string_id: string): Promise<Realm | undefined>
  /** Creates accounts in one change. Throws BAD_REQUEST when an email address is in use. */
  createUsers(realm: Realm, users: readonly NewUser[]): Promise<UserRow[]>
  apiKey(realm: Realm, user: UserRow): string
  /** Limits what the organization may have; null removes a limit. */
  setQuotas(realm: Realm, quotas: Partial<RealmQuotas>): Promise<void>
  /** Grants a right of administrators to an account, or revokes it. */
  setAccountRight(realm: Realm, user: UserRow, right: AccountRight, value: boolean): Promise<void>
  /** Restores deleted messages, direct ones included. @returns their ids. Throws BAD_REQUEST when there is none. */
  restoreMessages(realm: Realm, filter: DeletedMessageFilter): Promise<number[]>
  /** What undoing an act with the permissions of this account would do. Throws the refusals of such acts. */
  planUndo(realm: Realm, user: UserRow, act_id: number): Promise<PlannedUndo>
  /** Undoes an act of the audit log. @returns the acts of its call. Throws its refusals, and ChangedSinceActError. */
  undoAct(realm: Realm, user: UserRow, act_id: number): Promise<number[]>
  /** Makes a copy of a database work again. Throws AdoptionError. @param asNew as a deployment of its own */
  adopt(files: MembershipConfig & StorageConfig, asNew: boolean): Promise<Adoption>
  /** Why the database or Redis must not be used, as a sentence; undefined: they can. */
  findUnprepared(): Promise<string | undefined>
  /** Lists all organizations, by name. */
  listRealms(): Promise<RealmSummary[]>
  /** Deactivates an organization: its accounts cannot make calls any more. Its data is kept. */
  deactivate(realm: Realm): Promise<void>
  /**
   * Deletes the data of a deactivated organization at once. Nothing is left of it but its name.
   * @param freesName another organization can get the name
   */
  deleteRealm(realm: Realm, files: FileStorage, freesName: boolean): Promise<void>
  /** Reactivates a deactivated organization. Throws BAD_REQUEST when its data was deleted. */
  reactivate(realm: Realm): Promise<void>
  /** Deactivates an account. Throws CANNOT_DEACTIVATE_LAST_USER. */
  deactivateUser(realm: Realm, user: UserRow): Promise<void>
  /** Reactivates an account. */
  reactivateUser(realm: Realm, user: UserRow): Promise<void>
  /** Sets a password, and revokes the API key. Throws BAD_REQUEST for a password that is too easy to guess. */
  setPassword(realm: Realm, user: UserRow, password: string): Promise<void>
  /** Ends the second factor of an account, all its sessions and its API key. */
  endSecondFactor(realm: Realm, user: UserRow): Promise<void>
  /**
   * Moves an organization to another cell, which has the same SECRET_KEY and files. Its calls are refused meanwhile. A
   * move that was interrupted is continued. Throws BAD_REQUEST.
   */
  moveRealm(realm: Realm, target: MoveAddresses): Promise<FinishedMove>
  /** Opens an organization that was copied to this cell. */
  openMoved(realm: Realm): Promise<void>
  /** Deletes the rows that a move left in this cell. Throws BAD_REQUEST when the organization was not moved away. */
  deleteMovedRealm(realm: Realm): Promise<void>
  /**
   * Reads a directory, and begins what follows from it; workers do the rest. Throws DirectoryError.
   * @returns what changes, or would change with `isDryRun`
   */
  synchronizeDirectory(
    realm: Realm,
    directory: Directory,
    options: { isDryRun: boolean; isForced: boolean },
  ): Promise<SynchronizationPlan>
  /** The address of a page on which the user of an account chooses a password, once and within a day. */
  passwordLink(realm: Realm, user: UserRow): Promise<string>
}

export interface FinishedMove {
  /** the rows that were copied; 0: an interrupted command had copied them */
  rows: number
  /** those of them that were copied while calls were refused */
  late_rows: number
  /** how long calls were refused, without the time until the load balancer leads to the target */
  refused_ms: number
}

export interface RealmSummary {
  string_id: string
  name: string
  is_active: boolean
  /** the active accounts of humans */
  users: number
}

/** The author of changes on the command line, for the audit log. */
const operator: Actor = { user_id: null, address: '', action: 'command line' }

/** A link to choose a password is valid for a day, as a mailed one. */
const LINK_SECONDS = 86_400

/** Gateways that Redis does not reach learn that an organization is moving after ANTI_ENTROPY_MS, a second. */
const MOVING_NOTICE_MS = 1_500

/** Opens the deployment. It connects to the stores when the first function is called. */
export const openAdministration = (config: AdministrationConfig): Administration => {
  // A move holds two connections, and needs a third one.
  const pools = openPools({ DATABASE_URL: config.DATABASE_URL }, { connections: 4 })
  const { sql } = pools
  const closing = new AbortController()
  const { scope, settled } = openDatabaseScope(sql, closing.signal)
  const cell = openCell(pools, {
    redis_url: config.REDIS_URL,
    scope,
    deployment: readDeployment(config),
    anti_entropy_ms: 60_000,
  })
  const queues = openQueues(sql, cell.bus)
  const hostOf = (realm: Realm) => realmHost(realm.state.realm.string_id, config)
  const change = <T>(realm: Realm, work: (write: WriteContext) => Promise<T>): Promise<T> =>
    changeRealm(WriteContext.open(cell.writing, realm).withActor(operator), work)

  const undoSite = (realm: Realm): UndoSite => {
    const { string_id } = realm.state.realm
    const ways = openWays(config, realm.state)
    return { host: hostOf(realm), realm_url: realmUrl(string_id, config), ways, queues }
  }

  const runStep = (realm: Realm, step: Step) =>
    change(realm, async (write) => {
      const { entries } = runSteps(realm.state, [step])
      if (entries.length > 0) await commitEntries(write, entries)
    })

  const updateRealm = (realm: Realm, patch: Partial<RealmRow>) =>
    change(realm, async (write) => {
      const row = composeUpdate('realms', realm.state.realm, patch)
      if (row !== undefined) await commitEntries(write, [composeSilentEntry([row])])
    })

  const setMoving = (realm: Realm, is_moving: boolean) => updateRealm(realm, { is_moving })

  /** Serves an organization again whose move was interrupted or failed. Nothing of it is in `realms` of the target. */
  const reopen = async (realm: Realm) => {
    await openLog(sql, realm.id)
    await setMoving(realm, false)
  }

  /**
   * Copies an organization, and refuses its calls while its last rows are copied. If that fails, the organization is
   * opened again in this cell.
   * @param checkLock throws when another command can move the organization
   */
  const copyToCell = async (realm: Realm, target: Sql, checkLock: () => Promise<unknown>) => {
    const tables = await loadRealmTables(sql)
    if (realm.state.realm.is_moving) await reopen(realm)
    let isCommitSent = false
    try {
      const bulk = await copyBulk(sql, target, realm.id, tables)
      const began = performance.now()
      await setMoving(realm, true)
      await sleep(MOVING_NOTICE_MS)
      await closeLog(sql, realm.id)
      await waitForTransactions(sql)
      const late_rows = await copyRealmRows(sql, target, realm.id, tables, bulk, async () => {
        await checkLock()
        isCommitSent = true
      })
      return { rows: bulk.rows + late_rows, late_rows, began }
    } catch (error) {
      // If the target may have the copy and cannot be asked, the organization stays closed: it must never be open in
      // both cells.
      if (!isCommitSent || (await findMoveTarget(sql, target, realm.state.realm)) === 'empty') {
        await reopen(realm)
        await deleteBulk(target, realm.id).catch(() => {})
      }
      throw error
    }
  }

  return {
    sql,
    async moveRealm(realm, { DATABASE_URL, REDIS_URL }) {
      const problem = await findTargetProblem(sql, { DATABASE_URL, REDIS_URL })
      if (problem !== undefined) throw errors.badRequest(problem)
      const lock = await sql.reserve()
      await using targetCell = openAdministration({ ...config, DATABASE_URL, REDIS_URL })
      const target = openCopySql(DATABASE_URL, 2)
      try {
        const [row] = await lock<{ isFirst: boolean; pid: number }[]>`
          select pg_try_advisory_lock(${MOVE_LOCK}, ${realm.id}) as "isFirst", pg_backend_pid() as pid`
        // The lock ends with its connection, which the driver replaces.
        const checkLock = async () => {
          const [now] = await lock<{ pid: number }[]>`select pg_backend_pid() as pid`
          if (now?.pid !== row?.pid) throw new Error('The connection to Postgres was lost during the move.')
        }
        if (row?.isFirst !== true) throw errors.badRequest('Another command moves this organization.')
        const found = await findMoveTarget(sql, target, realm.state.realm)
        if (typeof found === 'object') throw errors.badRequest(found.problem)
        const { began, ...rows } =
          found === 'empty'
            ? await copyToCell(realm, target, checkLock)
            : { rows: 0, late_rows: 0, began: performance.now() }
        const moved = await targetCell.realm(realm.state.realm.string_id)
        if (moved === undefined) throw new Error('The organization was copied, but the target does not have it.')
        await targetCell.openMoved(moved)
        const refused_ms = Math.round(performance.now() - began)
        await markAsMoved(sql, realm.id)
        return { ...rows, refused_ms }
      } finally {
        await lock`select pg_advisory_unlock(${MOVE_LOCK}, ${realm.id})`
        lock.release()
        await target.end({ timeout: 5 })
      }
    },
    openMoved: (realm) => setMoving(realm, false),
    async deleteMovedRealm(realm) {
      try {
        await deleteMovedRows(sql, realm.id)
      } catch (error) {
        throw error instanceof NotMovedError ? errors.badRequest(error.message) : error
      }
    },
    migrate: () => migrate(sql),
    adopt: async (values, asNew) => adoptDatabase(values, sql, await openFileStorage(values), asNew),
    async findUnprepared() {
      const problem = await findDatabaseProblem(sql)
      return problem === undefined ? findForeignClaim(sql, config.REDIS_URL) : `DATABASE_URL: ${problem}`
    },
    createRealm: (realm) => createRealm(sql, realm),
    createRealmWithOwner: (realm, owner) => createRealmWithOwner(sql, config, operator, realm, owner),
    async realm(string_id) {
      await settled
      const realm = await cell.realms.find(string_id)
      await realm?.catchUp()
      return realm
    },
    async createUsers(realm, users) {
      const rows = await change(realm, (write) => createUsers(write, hostOf(realm), users))
      return rows.flatMap(({ id }) => realm.state.users.get(id) ?? [])
    },
    apiKey: (realm, user) => realm.state.deployment.keys.apiKey(realm.id, user.id, user.key_version),
    setQuotas: (realm, quotas) => runStep(realm, setQuotas(quotas)),
    async restoreMessages(realm, filter) {
      const restored: number[] = []
      for (let isComplete = false; !isComplete; ) {
        const { message_ids, complete } = await change(realm, (write) => restoreMessages(write, undefined, filter))
        restored.push(...message_ids)
        isComplete = complete
      }
      return restored
    },
    async planUndo(realm, user, act_id) {
      const write = WriteContext.open(cell.writing, realm)
      return planUndo(write, user, await requireReversibleActs(write, act_id, () => true), undoSite(realm))
    },
    async undoAct(realm, { id }, act_id) {
      // One request for all parts of a large undo.
      const write = WriteContext.open(cell.writing, realm).withActor({ ...operator, request: randomUUID() })
      const acts = await requireReversibleActs(write, act_id, () => true)
      await undoActs(write, (state) => requireUser(state, id), acts, undoSite(realm))
      return acts.map((act) => act.id)
    },
    setAccountRight: (realm, { id }, right, value) => runStep(realm, setAccountRight(id, right, value)),
    async deleteRealm(realm, files, freesName) {
      await removeRealmFiles(sql, files, realm.state)
      await changeRealm(WriteContext.open(cell.writing, realm), (write) =>
        commit(write, async (tx) => {
          await deleteRealmRows(realm.id)(tx)
          const string_id = freesName ? freedName(realm.id) : realm.state.realm.string_id
          const row = composeUpdate('realms', realm.state.realm, { string_id })
          return { entries: row === undefined ? [] : [composeSilentEntry([row])] }
        }),
      )
    },
    async reactivate(realm) {
      if (realm.state.users.size === 0) throw errors.badRequest('The data of this organization was deleted.')
      await updateRealm(realm, { is_active: true })
    },
    async listRealms() {
      return sql<RealmSummary[]>`
        select string_id, name, is_active,
          (select count(*)::int from users u where u.realm_id = r.id and u.is_active and not u.is_bot) as users
        from realms r where ${hasOwnName(sql)} order by string_id`
    },
    deactivate: (realm) =>
      change(realm, async (write) => {
        const row = composeUpdate('realms', realm.state.realm, { is_active: false })
        if (row !== undefined) await commitEntries(write, [realmDeactivated({ realm_id: realm.id }, [row])])
      }),
    deactivateUser: (realm, { id }) =>
      change(realm, async (write) => {
        const user = requireUser(realm.state, id)
        if (!user.is_active) return
        checkNotLast(realm.state, user)
        await commitDeactivation(write, queues, hostOf(realm), user)
      }),
    reactivateUser: (realm, { id }) =>
      change(realm, async (write) => {
        const user = requireUser(realm.state, id)
        await commitReactivation(write, hostOf(realm), user)
      }),
    async setPassword(realm, { id, delivery_email, full_name }, password) {
      await requireStrongPassword(password, [delivery_email, full_name])
      const password_hash = await hashPassword(password)
      const realm_url = realmUrl(realm.state.realm.string_id, config)
      await change(realm, (write) =>
        commit(write, async (tx) => {
          await storePassword(tx, realm.id, id, password_hash)
          const { entries } = runSteps(realm.state, [renewKey(id)])
          return { entries, jobs: [{ kind: 'password_changed_mail', payload: { user_id: id, realm_url } }] }
        }),
      )
      await queues.removeAll(realm.id, [id])
    },
    async synchronizeDirectory(realm, directory, { isDryRun, isForced }) {
      const people = await readDirectory(directory)
      return change(realm, async (write) => {
        const plan = await planRun(write, directory, people, isForced)
        if (!isDryRun) await commit(write, beginRun(write, directory, plan))
        return plan
      })
    },
    async endSecondFactor(realm, { id }) {
      const realm_url = realmUrl(realm.state.realm.string_id, config)
      const actor = { user_id: null, address: '', action: 'command end-second-factor' }
      await change(realm, (write) => endSecondFactor(write, queues, id, actor, realm_url))
    },
    async passwordLink(realm, { id, key_version, delivery_email }) {
      const password_hash = (await loadPasswordHash(sql, realm.id, id)) ?? ''
      const expires_at = secondsNow() + LINK_SECONDS
      const reset = { user_id: id, expires_at, password_hash, key_version, delivery_email }
      const token = realm.state.deployment.keys.passwordResetToken(realm.id, reset)
      return `${realmUrl(realm.state.realm.string_id, config)}/accounts/password/reset/${token}`
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      await queues.close()
      await cell.close()
    },
  }
}
