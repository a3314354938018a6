/** Undoing acts of the audit log, and what clients know before and after. */
import { anyGateway, call, ok, type Person } from './realm.js'

/** An act of the audit log, as far as tests look at it. */
export interface Act {
  id: number
  user_id: number | null
  action: string
  can_undo: boolean
  undoes: number | null
  undone_by: number | null
  changes: { table: string; key: Record<string, unknown>; before: unknown; after: unknown }[]
}

/** What an undo would do. */
export interface Plan {
  act_ids: number[]
  can_undo: boolean
  obstacle: string | null
  changes: Act['changes']
  changed_since: { table: string; key: unknown; column: string | null; left: unknown; now: unknown }[]
  remains: string[]
}

/** The newest acts, which an owner reads. */
export const readActs = async (owner: Person): Promise<Act[]> =>
  (await ok<{ acts: Act[] }>(owner, 'GET', '/realm/audit_log')).acts

/** The newest act. */
export const newestAct = async (owner: Person): Promise<Act> => (await readActs(owner))[0] as Act

/** Asks what undoing an act would do. */
export const planUndo = (by: Person, act_id: number) => ok<Plan>(by, 'GET', `/realm/audit_log/${act_id}/undo`)

/** Undoes an act. */
export const undo = (by: Person, act_id: number, url = anyGateway()) =>
  call(by, 'POST', `/realm/audit_log/${act_id}/undo`, {}, { url })

/** Parts of a registration that differ each time, or that a notice changes. */
const volatile =
  /^(queue_id|last_event_id|event_queue_longpoll_timeout_seconds|server_timestamp|max_message_id|presence.*|idle_queue_timeout|presences|recent_private_conversations|unread_msgs)$/

const capabilities = {
  notification_settings_null: true,
  archived_channels: true,
  include_deactivated_groups: true,
  user_settings_object: true,
  linkifier_url_template: true,
}

/** What a client of each of these people knows at registration. */
export const takeSnapshots = async (people: readonly Person[]): Promise<unknown[]> => {
  const snapshots: unknown[] = []
  for (const person of people) {
    const { status, body } = await call(person, 'POST', '/register', {
      client_gravatar: false,
      include_subscribers: true,
      client_capabilities: capabilities,
    })
    const { never_subscribed, unsubscribed, ...parts } = body
    const known = Object.entries(parts).filter(([name]) => !volatile.test(name))
    // To a client, a subscription that ended equals one that never was, apart from its settings.
    const others = [never_subscribed, unsubscribed].flat() as { stream_id: number; color: unknown }[] | undefined[]
    const ids = others.map((channel) => channel?.stream_id)
    snapshots.push(status === 200 ? { ...Object.fromEntries(known), others: ids.sort() } : { status })
  }
  return snapshots
}
