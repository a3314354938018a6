/** The client library of Parley: calls and events. The live realm is in `@parley/client/realm`. */
export type {
  Event,
  EventOf,
  Message,
  Narrow,
  NarrowTerm,
  Operation,
  Params,
  Reset,
  Result,
  Snapshot,
} from './api.js'
export { type CallOptions, type Client, type ClientOptions, createClient } from './client.js'
export type { Credentials } from './credentials.js'
export { ApiError, ConnectionError, TimeoutError } from './errors.js'
export type { ConnectionState, Transport } from './events/connection.js'
export type { EventStream, EventsOptions } from './events/event-stream.js'
export type { Socket, SocketClass } from './events/websocket.js'
export { createStore, type Store, type WritableStore } from './store.js'
export type { UploadOptions } from './upload.js'
export type { Uploaded } from './upload-request.js'
