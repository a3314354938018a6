/**
 * The hub of a realm in this gateway: it sends each applied entry to every connected client that may see it.
 *
 * 1. A client attaches in the same tick in which its backlog becomes complete. From then on the hub sends it every
 *    entry as the entry is applied. So no event is lost or sent twice between the backlog and the hub.
 * 2. The JSON of an entry is built once per profile, and all recipients get the same bytes. Only the entry's personal
 *    recipients get JSON of their own.
 * 3. The event ids that a client receives always increase: an ephemeral event gets an id above every id that this hub
 *    has assigned at the current seq, and above the ids that clients brought from other gateways.
 * 4. A connection is registered before its backlog is loaded, so an entry that revokes its account, key or organization
 *    closes it also while it catches up. Registering and attaching check the account again: it may have changed between
 *    the authentication and that tick.
 */

import { secondsNow } from '#rules/time.js'
import { isExpired } from '../../domain/api-keys/api-keys.js'
import { isNamed, viewerNow } from '../../domain/log/audience.js'
import type { Audience, Entry } from '../../domain/log/entry.js'
import { findKind } from '../../domain/log/entry-kind.js'
import { eventId, LAST_K, toEphemeralNumber, toSeq } from '../../domain/log/event-id.js'
import { acceptsType, type Profile } from '../../domain/log/profile.js'
import type { ApiKeyRow, RealmRow, SessionRow, SubscriptionRow, UserRow } from '../../domain/log/rows.js'
import { isValidSession } from '../../domain/users/accounts/sessions.js'
import { composeQueueEvent, type QueuedEvent } from '../../store/events/backlog.js'
import { encodeEntry, encodeEvent, encodeShared } from '../../store/events/event-json.js'
import type { Ephemeral } from '../../store/log/bus.js'
import type { Realm, RealmListener, TracedEntry } from '../../store/log/realm.js'
import type { Queue } from '../../store/register/event-queues.js'
import { now } from '../../store/tracing.js'
import type { Client, CloseReason } from './connected-client.js'
import { DeliveryCounts } from './delivery-counts.js'
import { type LazyEventJson, NativeTopics } from './native-topics.js'
import type { PacedSends } from './paced-sends.js'
import type { QueueReaders } from './queue-readers.js'
import { RecentEphemeralEvents } from './recent-ephemeral-events.js'

/** Clients of one profile. */
interface ProfileClients {
  profile: Profile
  sockets: NativeTopics
  /**
   * Long polls and SSE connections by user id; the hub writes to each one separately. The list of a user stays when the
   * last one leaves, because most polls come back at once, until `forgetUnused`. Not a Set, for the reason in
   * fairness/open-requests.ts.
   */
  pollsAndStreams: Map<number, Client[]>
}

/** After this many ephemeral ids at one seq, the hub requests a new entry, whose seq is the base of further ids. */
const EPHEMERAL_IDS_BEFORE_TICK = LAST_K - 100
/** With more excluded users than this, checking each client costs less than unsubscribing their sockets. */
const MAX_UNSUBSCRIBED = 64

/** The clients of one realm that are connected to this gateway. */
export class Hub implements RealmListener {
  readonly realm: Realm
  /** through which its clients write to their connections */
  readonly sends: PacedSends
  readonly #profiles = new Map<Profile, ProfileClients>()
  /** The attached clients. A queue without one stays until `forgetUnused`, because most polls come back at once. */
  readonly #byQueue = new Map<string, Client | undefined>()
  /** how many clients are attached */
  #attached = 0
  /** streams by queue id that receive their backlog and are not attached yet (4) */
  readonly #catchingUp = new Map<string, Client>()
  /** Called when ephemeral ids run out: appends an entry without content (domain/log/advanced-seq.ts). */
  readonly #needsEntry: () => void
  readonly #recent: RecentEphemeralEvents
  readonly #deliveries: DeliveryCounts
  #lastK = 0
  #isDraining = false

  /** Called when a client begins to read a queue (queue-readers.ts). */
  readonly #claim: QueueReaders['claim']

  constructor(
    realm: Realm,
    sends: PacedSends,
    needsEntry: () => void,
    claim: QueueReaders['claim'] = () => {},
    deliveries = new DeliveryCounts(),
  ) {
    this.realm = realm
    this.#claim = claim
    this.sends = sends
    this.#needsEntry = needsEntry
    this.#deliveries = deliveries
    this.#recent = new RecentEphemeralEvents(realm)
    realm.listen(this)
  }

  hasClients(): boolean {
    return this.#attached > 0 || this.#catchingUp.size > 0
  }

  /** All clients: those that are attached, and those that catch up. */
  *clients(): IterableIterator<Client> {
    for (const client of this.#byQueue.values()) if (client !== undefined) yield client
    yield* this.#catchingUp.values()
  }

  /**
   * Registers a stream before its backlog is loaded (4), and closes the queue's former client.
   * `attach` or `detach` ends the registration.
   * @returns false when the account lost its rights, and the stream was closed
   */
  register(client: Client): boolean {
    this.#displace(client)
    if (!this.#isAuthorized(client)) {
      client.close('unauthorized')
      return false
    }
    this.#catchingUp.set(client.queue.id, client)
    if (this.#isDraining || this.realm.state.realm.is_moving) queueMicrotask(() => this.#end(client, 'draining'))
    return true
  }

  /**
   * Attaches a client whose backlog is complete up to `client.lastId` (1), and closes the queue's former client. Closes
   * the client instead when its account lost its rights (4).
   */
  attach(client: Client): void {
    const { queue } = client
    this.#displace(client)
    if (!this.#isAuthorized(client)) {
      this.#end(client, 'unauthorized')
      return
    }
    this.#catchingUp.delete(queue.id)
    if (toSeq(client.lastId) === this.realm.seq) this.#lastK = Math.max(this.#lastK, toEphemeralNumber(client.lastId))
    this.#byQueue.set(queue.id, client)
    this.#attached += 1
    const profileClients = this.#clientsOfProfile(queue.profile)
    if (client.socket !== undefined) profileClients.sockets.addSocket(client, client.socket, this.realm.state)
    else addClient(profileClients.pollsAndStreams, queue.user_id, client)
    if (this.#isDraining || this.realm.state.realm.is_moving) queueMicrotask(() => this.#end(client, 'draining'))
  }

  /** Stops sending to a client that is gone. Does nothing when the client is neither attached nor registered. */
  detach(client: Client): void {
    this.#remove(client, false)
  }

  /** @param isOpen it can still receive, and must not (native-topics.ts 4) */
  #remove(client: Client, isOpen: boolean): void {
    const { queue } = client
    if (this.#catchingUp.get(queue.id) === client) this.#catchingUp.delete(queue.id)
    if (this.#byQueue.get(queue.id) !== client) return
    this.#byQueue.set(queue.id, undefined)
    this.#attached -= 1
    const profileClients = this.#profiles.get(queue.profile)
    if (profileClients === undefined) return
    if (client.socket !== undefined) profileClients.sockets.removeSocket(client, client.socket, isOpen)
    else removeClient(profileClients.pollsAndStreams.get(queue.user_id), client)
  }

  /** Forgets queues, users and profiles without clients. Called at intervals. */
  forgetUnused(): void {
    for (const [queue_id, client] of this.#byQueue) if (client === undefined) this.#byQueue.delete(queue_id)
    for (const { profile, sockets, pollsAndStreams } of this.#profiles.values()) {
      for (const [user_id, clients] of pollsAndStreams) if (clients.length === 0) pollsAndStreams.delete(user_id)
      if (pollsAndStreams.size === 0 && sockets.sockets.size === 0) this.#profiles.delete(profile)
    }
  }

  /** The client that reads a queue. */
  findReader(queue_id: string): Client | undefined {
    return this.#byQueue.get(queue_id) ?? this.#catchingUp.get(queue_id)
  }

  /** Closes the client of a queue that was deleted, or that has a newer reader. */
  endReader(queue_id: string, reason: 'queueDeleted' | 'displaced'): void {
    for (const clients of [this.#byQueue, this.#catchingUp]) {
      const client = clients.get(queue_id)
      if (client !== undefined) this.#end(client, reason)
    }
  }

  /** From now on, closes each client that begins to read a queue, because this gateway is shutting down. */
  refuseClients(): void {
    this.#isDraining = true
  }

  /** Closes a client, if it still reads its queue. */
  endClient(client: Client, reason: CloseReason): void {
    if (this.findReader(client.queue.id) === client) this.#end(client, reason)
  }

  /** Sends an applied entry to the clients that may see it, after moving sockets between native topics. */
  entry(entry: Entry): void {
    this.#lastK = 0
    if (!this.hasClients()) return
    const began = performance.now()
    const sentBefore = this.#deliveries.events
    for (const change of entry.rows ?? []) {
      if (change.table === 'subscriptions') {
        const { user_id, channel_id } = change.key as SubscriptionRow
        for (const profileClients of this.#profiles.values())
          profileClients.sockets.updateSubscriptions(user_id, this.realm.state, channel_id)
      } else if (change.table === 'users') {
        for (const profileClients of this.#profiles.values()) {
          profileClients.sockets.updateSubscriptions((change.key as UserRow).id, this.realm.state)
        }
      }
    }
    const kind = findKind(this.realm.kinds, entry.kind)
    const personal = kind.personalRecipients(entry.data)
    for (const profileClients of this.#profiles.values()) {
      if (!acceptsType(profileClients.profile, kind.type)) continue
      if (kind.extraAudience(entry.data, profileClients.profile) !== undefined) {
        this.#sendToEachClient(profileClients, entry)
        continue
      }
      this.#sendToAudience(
        profileClients,
        entry.audience,
        eventId(entry.seq),
        () => encodeShared(this.realm, entry, profileClients.profile),
        personal,
      )
      for (const user_id of personal) {
        if (isNamed(entry.audience, viewerNow(this.realm.state, user_id)))
          this.#sendPersonal(profileClients, entry, user_id)
      }
    }
    this.#endUnauthorized(entry)
    const traced = this.realm.findTrace(entry.seq)
    const events = this.#deliveries.events - sentBefore
    const transitMs = this.realm.transitMs
    this.sends.afterWaiting(() => {
      this.#deliveries.latencies.add((transitMs + performance.now() - began) / 1000)
      if (traced !== undefined) this.#recordDelivery(traced, began, events)
    })
  }

  /** Records how long a traced entry waited to be applied, and how long its delivery took. */
  #recordDelivery({ parent, received }: TracedEntry, began: number, events: number): void {
    const start = performance.timeOrigin + began
    const applied = this.realm.tracing?.record(parent, 'apply', received, Math.max(received, start))
    if (applied !== undefined) this.realm.tracing?.record(applied, 'deliver', start, now(), { 'parley.events': events })
  }

  /**
   * Sends an event that is not stored.
   * @returns the id that it got; undefined when none was left, and it was dropped
   */
  ephemeral(event: Ephemeral): number | undefined {
    const { event_id } = event
    if (event_id !== undefined && toSeq(event_id) === this.realm.seq) {
      this.#lastK = Math.max(this.#lastK, toEphemeralNumber(event_id) - 1)
    }
    // Without clients the hub drops the event instead of appending a new entry to get an id for it.
    if (this.#attached === 0 && this.#lastK >= EPHEMERAL_IDS_BEFORE_TICK) return undefined
    const id = this.nextEphemeralId()
    if (id === undefined) return undefined
    const encodeFor = this.#recent.add(id, event)
    for (const profileClients of this.#profiles.values()) {
      const json = encodeFor(profileClients.profile)
      if (json !== null) this.#sendToAudience(profileClients, event.audience, id, () => json, [])
    }
    return id
  }

  /** Ephemeral events after `lastId`, for a client that was between two polls or connections. Oldest first. */
  missedEphemeral(queue: Queue, lastId: number): QueuedEvent[] {
    return this.#recent.after(lastId, queue.profile, viewerNow(this.realm.state, queue.user_id))
  }

  /** The last assigned event id: every later event gets a larger one. */
  lastId(): number {
    return eventId(this.realm.seq, this.#lastK)
  }

  /**
   * Sends a heartbeat to sockets and streams, and closes the clients of expired sessions. Polls time out on their own,
   * so that they do not all return at once.
   */
  heartbeat(): void {
    this.#endExpired()
    const id = this.nextEphemeralId()
    if (id === undefined) return
    const json = encodeEvent(id, { type: 'heartbeat' })
    for (const profileClients of this.#profiles.values()) {
      profileClients.sockets.sendToRoles([0, Number.POSITIVE_INFINITY], () => json, [])
      profileClients.sockets.removeIdleTopics()
      for (const clients of profileClients.pollsAndStreams.values()) {
        for (const client of copyClients(clients)) if (client.isPoll !== true) this.#push(client, id, json)
      }
    }
  }

  /** An id above all ids that this hub has assigned (3); undefined when none is left until the next entry. */
  nextEphemeralId(): number | undefined {
    if (this.#lastK >= EPHEMERAL_IDS_BEFORE_TICK) this.#needsEntry()
    if (this.#lastK >= LAST_K) return undefined
    this.#lastK += 1
    return eventId(this.realm.seq, this.#lastK)
  }

  /**
   * The id of a heartbeat for one poll: above the poll's last id, and without using up an id of the hub for each (3).
   * @returns undefined when none is left until the next entry
   */
  idAfter(lastId: number): number | undefined {
    const id = Math.max(lastId + 1, eventId(this.realm.seq, 1))
    if (toSeq(id) !== this.realm.seq) {
      this.#needsEntry()
      return undefined
    }
    this.#lastK = Math.max(this.#lastK, toEphemeralNumber(id))
    return id
  }

  #sendToAudience(
    profileClients: ProfileClients,
    audience: Audience,
    id: number,
    json: LazyEventJson,
    personal: readonly number[],
  ): void {
    const { state } = this.realm
    const { roles, channel, users, except = [] } = audience
    if ((roles !== undefined && channel !== undefined) || except.length > MAX_UNSUBSCRIBED) {
      this.#sendToEachNamed(profileClients, audience, id, json, personal)
      return
    }
    const excluded = except.length === 0 ? personal : [...except, ...personal]
    if (roles !== undefined) {
      profileClients.sockets.sendToRoles(roles, json, excluded)
      for (const [user_id, clients] of profileClients.pollsAndStreams) {
        const role = state.users.get(user_id)?.role ?? Number.POSITIVE_INFINITY
        if (role >= roles[0] && role <= roles[1] && !excluded.includes(user_id)) this.#pushAll(clients, id, json)
      }
    } else if (channel !== undefined) {
      profileClients.sockets.sendToChannel(channel, state, json, excluded)
      const subscribers = state.subscribers(channel)
      if (subscribers.size < profileClients.pollsAndStreams.size) {
        for (const user_id of subscribers) {
          if (!excluded.includes(user_id)) this.#pushAll(profileClients.pollsAndStreams.get(user_id), id, json)
        }
      } else {
        for (const [user_id, clients] of profileClients.pollsAndStreams) {
          if (subscribers.has(user_id) && !excluded.includes(user_id)) this.#pushAll(clients, id, json)
        }
      }
    }
    for (const user_id of users ?? []) {
      if (excluded.includes(user_id)) continue
      if (isNamed({ ...audience, users: [] }, viewerNow(state, user_id))) continue
      profileClients.sockets.sendToUser(user_id, json)
      this.#pushAll(profileClients.pollsAndStreams.get(user_id), id, json)
    }
  }

  /** Checks every client against the audience. For the few audiences that no native topic covers. */
  #sendToEachNamed(
    profileClients: ProfileClients,
    audience: Audience,
    id: number,
    json: LazyEventJson,
    personal: readonly number[],
  ): void {
    for (const user_id of new Set([
      ...profileClients.sockets.sockets.keys(),
      ...profileClients.pollsAndStreams.keys(),
    ])) {
      if (personal.includes(user_id) || !isNamed(audience, viewerNow(this.realm.state, user_id))) continue
      profileClients.sockets.sendToUser(user_id, json)
      this.#pushAll(profileClients.pollsAndStreams.get(user_id), id, json)
    }
  }

  /** For profiles with an extra audience: composes the event for each client, as its backlog would. */
  #sendToEachClient(profileClients: ProfileClients, entry: Entry): void {
    for (const client of listClients(profileClients)) {
      const json = composeQueueEvent(this.realm, entry, client.queue, viewerNow(this.realm.state, client.queue.user_id))
      if (json !== null) this.#push(client, eventId(entry.seq), json)
    }
  }

  #sendPersonal(profileClients: ProfileClients, entry: Entry, user_id: number): void {
    for (const client of [
      ...(profileClients.sockets.sockets.get(user_id) ?? []),
      ...(profileClients.pollsAndStreams.get(user_id) ?? []),
    ]) {
      const json = encodeEntry(this.realm, entry, profileClients.profile, { user_id, queue_id: client.queue.id })
      if (json !== null) this.#push(client, eventId(entry.seq), json)
    }
  }

  #pushAll(clients: readonly Client[] | undefined, id: number, json: LazyEventJson): void {
    if (clients === undefined) return
    for (const client of copyClients(clients)) {
      const encoded = json()
      if (encoded !== null) this.#push(client, id, encoded)
    }
  }

  #push(client: Client, id: number, json: string): void {
    this.#deliveries.events += 1
    client.lastId = id
    if (client.socket === undefined) client.push(id, json)
    else this.#profiles.get(client.queue.profile)?.sockets.sendTo(client.socket, json)
  }

  #clientsOfProfile(profile: Profile): ProfileClients {
    let profileClients = this.#profiles.get(profile)
    if (profileClients === undefined) {
      const prefix = `${this.realm.id}:${nextProfileNumber++}:`
      profileClients = {
        profile,
        sockets: new NativeTopics(prefix, this.sends, this.#deliveries),
        pollsAndStreams: new Map(),
      }
      this.#profiles.set(profile, profileClients)
    }
    return profileClients
  }

  /**
   * Closes the clients of an account when the entry deactivates it or changes its API key, the clients of a session
   * or an API key
   * that the entry ends, and all clients when the entry deactivates the organization (4).
   */
  #endUnauthorized(entry: Entry): void {
    for (const { table, key, after } of entry.rows ?? []) {
      if (table === 'realms' && (after as Partial<RealmRow> | null)?.is_active === false) {
        for (const client of [...this.clients()]) this.#end(client, 'unauthorized')
      }
      // They connect again, and are refused until the load balancer leads them to the other cell.
      if (table === 'realms' && (after as Partial<RealmRow> | null)?.is_moving === true) {
        for (const client of [...this.clients()]) this.#end(client, 'draining')
      }
      if (table === 'sessions' && after === null) {
        for (const client of [...this.clients()]) {
          if (client.session_id === (key as SessionRow).id) this.#end(client, 'unauthorized')
        }
      }
      if (table === 'api_keys' && after === null) {
        for (const client of [...this.clients()]) {
          if (client.api_key_id === (key as ApiKeyRow).id) this.#end(client, 'unauthorized')
        }
      }
      if (table !== 'users') continue
      const change = after as Partial<UserRow> | null
      if (change !== null && change.is_active !== false && change.key_version === undefined) continue
      for (const client of [...this.clients()]) {
        if (client.queue.user_id === (key as UserRow).id) this.#end(client, 'unauthorized')
      }
    }
  }

  /** Whether the account may still use the key or the session with which the client authenticated (4). */
  #isAuthorized({ queue, key_version, session_id, api_key_id }: Client): boolean {
    const { realm, users, sessions, apiKeys } = this.realm.state
    const user = users.get(queue.user_id)
    if (!realm.is_active || user?.is_active !== true || user.key_version !== key_version) return false
    if (api_key_id !== undefined) {
      const key = apiKeys.get(api_key_id)
      return key !== undefined && !isExpired(key, secondsNow())
    }
    if (session_id === undefined) return true
    const session = sessions.get(session_id)
    return session !== undefined && isValidSession(this.realm.state, session, secondsNow())
  }

  /** Closes the clients whose session or API key has expired: no entry tells that. */
  #endExpired(): void {
    for (const client of [...this.clients()]) {
      const canExpire = client.session_id !== undefined || client.api_key_id !== undefined
      if (canExpire && !this.#isAuthorized(client)) this.#end(client, 'unauthorized')
    }
  }

  /** Closes the other clients of this client's queue, here and in other gateways: a queue has one reader. */
  #displace(client: Client): void {
    client.start ??= Date.now()
    this.#claim(client.queue)
    for (const clients of [this.#byQueue, this.#catchingUp]) {
      const previous = clients.get(client.queue.id)
      if (previous !== undefined && previous !== client) this.#end(previous, 'displaced')
    }
  }

  #end(client: Client, reason: CloseReason): void {
    this.#remove(client, true)
    client.close(reason)
  }
}

let nextProfileNumber = 1

function* listClients(profileClients: ProfileClients): Iterable<Client> {
  for (const clients of profileClients.sockets.sockets.values()) yield* clients
  for (const clients of profileClients.pollsAndStreams.values()) yield* copyClients(clients)
}

/** A stream that is too slow leaves the list while the hub writes to those in it. */
const copyClients = (clients: readonly Client[]): readonly Client[] => (clients.length > 1 ? [...clients] : clients)

const addClient = (index: Map<number, Client[]>, user_id: number, client: Client): void => {
  const clients = index.get(user_id)
  if (clients === undefined) index.set(user_id, [client])
  else clients.push(client)
}

const removeClient = (clients: Client[] | undefined, client: Client): void => {
  const at = clients?.indexOf(client) ?? -1
  if (at !== -1) clients?.splice(at, 1)
}
