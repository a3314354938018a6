/**
 * The hub of a realm in this gateway: from an applied entry to every connected client that may see it.
 *
 * 1. A client attaches in the tick in which its backlog became complete; from then on it gets every entry as it is
 *    applied. So between backlog and hub nothing is lost and nothing comes twice.
 * 2. The JSON of an entry is built once per profile. Everyone gets those bytes but the few that the entry calls
 *    special.
 * 3. Ids never go back for any client here: ephemeral events take ids above everything this hub has given at this
 *    seq, and above what clients brought from other gateways.
 */
import { isNamed, viewerNow } from '../../domain/log/audience.js'
import type { Audience, Entry } from '../../domain/log/entry.js'
import { requireKind } from '../../domain/log/entry-kind.js'
import { eventId, kOf, LAST_K, seqOf } from '../../domain/log/event-id.js'
import { type Profile, takesType } from '../../domain/log/profile.js'
import type { RealmRow, SubscriptionRow, UserRow } from '../../domain/log/rows.js'
import type { Ephemeral } from '../../store/log/bus.js'
import type { Realm, RealmListener } from '../../store/log/realm.js'
import type { Queue } from '../../store/register/queues.js'
import { type Piece, textFor } from './backlog.js'
import type { Client, CloseReason, Publish } from './connected-client.js'
import { eventText, ownText, sharedText } from './event-json.js'
import { NativeTopics, type Text } from './native-topics.js'
import { Recent } from './recent-ephemeral-events.js'

/** Clients of one profile. */
interface Group {
  profile: Profile
  rooms: NativeTopics
  /** polls and SSE by user: each is written to by itself */
  single: Map<number, Set<Client>>
}

/** With so many ephemeral events at one seq, a new entry is asked for. */
const ENOUGH = LAST_K - 100
/** More left-out users than this, and asking each client is cheaper than stepping outside. */
const FEW = 64

export class Hub implements RealmListener {
  readonly realm: Realm
  readonly #publish: Publish
  readonly #groups = new Map<Profile, Group>()
  readonly #byQueue = new Map<string, Client>()
  /** Asked for when ephemeral ids run out: appends an entry that says nothing. */
  readonly #needsEntry: () => void
  readonly #recent: Recent
  #lastK = 0
  #isDraining = false

  constructor(realm: Realm, publish: Publish, needsEntry: () => void) {
    this.realm = realm
    this.#publish = publish
    this.#needsEntry = needsEntry
    this.#recent = new Recent(realm)
    realm.listen(this)
  }

  isBusy(): boolean {
    return this.#byQueue.size > 0
  }

  clients(): IterableIterator<Client> {
    return this.#byQueue.values()
  }

  /** Connects a client whose backlog is complete up to `client.lastId` (1). A client on the same queue gives way. */
  attach(client: Client): void {
    const { queue } = client
    const former = this.#byQueue.get(queue.id)
    if (former !== undefined) {
      this.detach(former)
      former.close('displaced')
    }
    if (seqOf(client.lastId) === this.realm.seq) this.#lastK = Math.max(this.#lastK, kOf(client.lastId))
    this.#byQueue.set(queue.id, client)
    const group = this.#groupOf(queue.profile)
    if (client.socket !== undefined) group.rooms.add(client, client.socket, this.realm.state)
    else addTo(group.single, queue.user_id, client)
    if (this.#isDraining) queueMicrotask(() => this.#end(client, 'draining'))
  }

  detach(client: Client): void {
    const { queue } = client
    if (this.#byQueue.get(queue.id) !== client) return
    this.#byQueue.delete(queue.id)
    const group = this.#groups.get(queue.profile)
    if (group === undefined) return
    if (client.socket !== undefined) group.rooms.remove(client, client.socket)
    else removeFrom(group.single, queue.user_id, client)
    if (group.single.size === 0 && group.rooms.sockets.size === 0) this.#groups.delete(queue.profile)
  }

  /** Ends the connection of a queue that was deleted. */
  queueGone(queue_id: string): void {
    const client = this.#byQueue.get(queue_id)
    if (client !== undefined) this.#end(client, 'queueDeleted')
  }

  /** Ends every connection, and each that still comes: this gateway is going away. */
  drain(): void {
    this.#isDraining = true
    for (const client of [...this.#byQueue.values()]) this.#end(client, 'draining')
  }

  entry(entry: Entry): void {
    this.#lastK = 0
    if (this.#byQueue.size === 0) return
    for (const change of entry.rows ?? []) {
      if (change.table === 'subscriptions') {
        const { user_id, channel_id } = change.key as SubscriptionRow
        for (const group of this.#groups.values()) group.rooms.refresh(user_id, this.realm.state, channel_id)
      } else if (change.table === 'users') {
        for (const group of this.#groups.values()) {
          group.rooms.refresh((change.key as UserRow).id, this.realm.state)
        }
      }
    }
    const kind = requireKind(this.realm.kinds, entry.kind)
    const special = kind.personalRecipients(entry.data)
    for (const group of this.#groups.values()) {
      if (!takesType(group.profile, kind.type)) continue
      if (kind.extraAudience(entry.data, group.profile) !== undefined) {
        this.#askEach(group, entry)
        continue
      }
      this.#toAudience(
        group,
        entry.audience,
        eventId(entry.seq),
        () => sharedText(this.realm, entry, group.profile),
        special,
      )
      for (const user_id of special) {
        if (isNamed(entry.audience, viewerNow(this.realm.state, user_id))) this.#ownCopies(group, entry, user_id)
      }
    }
    this.#endUnauthorized(entry)
  }

  ephemeral(event: Ephemeral): number | undefined {
    const { event_id } = event
    if (event_id !== undefined && seqOf(event_id) === this.realm.seq) {
      this.#lastK = Math.max(this.#lastK, kOf(event_id) - 1)
    }
    // No new entry is asked for where nobody may ever come for the event.
    if (this.#byQueue.size === 0 && this.#lastK >= ENOUGH) return undefined
    const id = this.nextEphemeralId()
    if (id === undefined) return undefined
    const textFor = this.#recent.add(id, event)
    for (const group of this.#groups.values()) {
      const text = textFor(group.profile)
      if (text !== null) this.#toAudience(group, event.audience, id, () => text, [])
    }
    return id
  }

  /** What came without being stored while this client was between two polls or connections (recent-ephemeral-events.ts). */
  missed(queue: Queue, lastId: number): Piece[] {
    return this.#recent.after(lastId, queue.profile, viewerNow(this.realm.state, queue.user_id))
  }

  /** The id behind which everything lies that happens from now on. */
  lastId(): number {
    return eventId(this.realm.seq, this.#lastK)
  }

  /** Sends a heartbeat to sockets and streams. Polls have their own: ending all of them at once would bring them back at once. */
  heartbeat(): void {
    const id = this.nextEphemeralId()
    if (id === undefined) return
    const text = eventText(id, { type: 'heartbeat' })
    for (const group of this.#groups.values()) {
      group.rooms.toRoles([0, Number.POSITIVE_INFINITY], () => text, [])
      group.rooms.tidy()
      for (const own of group.single.values()) {
        for (const client of own) if (client.isPoll !== true) this.#push(client, id, text)
      }
    }
  }

  /** An id above all that this hub gave (3); undefined when there is none left until the next entry. */
  nextEphemeralId(): number | undefined {
    if (this.#lastK >= ENOUGH) this.#needsEntry()
    if (this.#lastK >= LAST_K) return undefined
    this.#lastK += 1
    return eventId(this.realm.seq, this.#lastK)
  }

  /** The id of a heartbeat for one waiting client: above its own last one, without using up the hub's (3). */
  idAfter(lastId: number): number | undefined {
    const id = Math.max(lastId + 1, eventId(this.realm.seq, 1))
    if (seqOf(id) !== this.realm.seq) {
      this.#needsEntry()
      return undefined
    }
    this.#lastK = Math.max(this.#lastK, kOf(id))
    return id
  }

  #toAudience(group: Group, audience: Audience, id: number, text: Text, special: readonly number[]): void {
    const { state } = this.realm
    const { roles, channel, users, except = [] } = audience
    if ((roles !== undefined && channel !== undefined) || except.length > FEW) {
      this.#toNamed(group, audience, id, text, special)
      return
    }
    const without = except.length === 0 ? special : [...except, ...special]
    if (roles !== undefined) {
      group.rooms.toRoles(roles, text, without)
      for (const [user_id, own] of group.single) {
        const role = state.users.get(user_id)?.role ?? Number.POSITIVE_INFINITY
        if (role >= roles[0] && role <= roles[1] && !without.includes(user_id)) this.#pushAll(own, id, text)
      }
    } else if (channel !== undefined) {
      group.rooms.toChannel(channel, state, text, without)
      const subscribers = state.subscribers(channel)
      if (subscribers.size < group.single.size) {
        for (const user_id of subscribers) {
          if (!without.includes(user_id)) this.#pushAll(group.single.get(user_id), id, text)
        }
      } else {
        for (const [user_id, own] of group.single) {
          if (subscribers.has(user_id) && !without.includes(user_id)) this.#pushAll(own, id, text)
        }
      }
    }
    for (const user_id of users ?? []) {
      if (without.includes(user_id)) continue
      if (isNamed({ ...audience, users: [] }, viewerNow(state, user_id))) continue
      group.rooms.toUser(user_id, text)
      this.#pushAll(group.single.get(user_id), id, text)
    }
  }

  /** The plain form of an audience: every client is asked. For the few shapes that no topic serves. */
  #toNamed(group: Group, audience: Audience, id: number, text: Text, special: readonly number[]): void {
    for (const user_id of new Set([...group.rooms.sockets.keys(), ...group.single.keys()])) {
      if (special.includes(user_id) || !isNamed(audience, viewerNow(this.realm.state, user_id))) continue
      group.rooms.toUser(user_id, text)
      this.#pushAll(group.single.get(user_id), id, text)
    }
  }

  /** For profiles that listen more widely than the audience: each client is judged as its backlog would be. */
  #askEach(group: Group, entry: Entry): void {
    for (const client of clientsOf(group)) {
      const text = textFor(this.realm, entry, client.queue, viewerNow(this.realm.state, client.queue.user_id))
      if (text !== null) this.#push(client, eventId(entry.seq), text)
    }
  }

  #ownCopies(group: Group, entry: Entry, user_id: number): void {
    for (const client of [...(group.rooms.sockets.get(user_id) ?? []), ...(group.single.get(user_id) ?? [])]) {
      const text = ownText(this.realm, entry, group.profile, { user_id, queue_id: client.queue.id })
      if (text !== null) this.#push(client, eventId(entry.seq), text)
    }
  }

  #pushAll(clients: Iterable<Client> | undefined, id: number, text: Text): void {
    for (const client of clients ?? []) {
      const bytes = text()
      if (bytes !== null) this.#push(client, id, bytes)
    }
  }

  #push(client: Client, id: number, text: string): void {
    client.lastId = id
    if (client.socket !== undefined) client.socket.send(text)
    else client.push(id, text)
  }

  #groupOf(profile: Profile): Group {
    let group = this.#groups.get(profile)
    if (group === undefined) {
      const prefix = `${this.realm.id}:${groupNumber++}:`
      group = { profile, rooms: new NativeTopics(prefix, this.#publish), single: new Map() }
      this.#groups.set(profile, group)
    }
    return group
  }

  /**
   * An account that was deactivated, or whose key was changed, stops listening with the entry that says so; everyone
   * does when that was the organization.
   */
  #endUnauthorized(entry: Entry): void {
    for (const { table, key, after } of entry.rows ?? []) {
      if (table === 'realms' && (after as Partial<RealmRow> | null)?.is_active === false) {
        for (const client of [...this.#byQueue.values()]) this.#end(client, 'unauthorized')
      }
      if (table !== 'users') continue
      const change = after as Partial<UserRow> | null
      if (change !== null && change.is_active !== false && change.key_version === undefined) continue
      for (const client of [...this.#byQueue.values()]) {
        if (client.queue.user_id === (key as UserRow).id) this.#end(client, 'unauthorized')
      }
    }
  }

  #end(client: Client, reason: CloseReason): void {
    this.detach(client)
    client.close(reason)
  }
}

let groupNumber = 1

function* clientsOf(group: Group): Iterable<Client> {
  for (const own of group.rooms.sockets.values()) yield* own
  for (const own of group.single.values()) yield* own
}

const addTo = (index: Map<number, Set<Client>>, user_id: number, client: Client): void => {
  const own = index.get(user_id)
  if (own === undefined) index.set(user_id, new Set([client]))
  else own.add(client)
}

const removeFrom = (index: Map<number, Set<Client>>, user_id: number, client: Client): void => {
  const own = index.get(user_id)
  if (own?.delete(client) && own.size === 0) index.delete(user_id)
}
