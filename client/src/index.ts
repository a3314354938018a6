/** The client library of Parley: calls and events. The live realm is in `@parley/client/realm`. */

export { type Bot, type BotHandler, type BotOptions, createBot } from './bot.js'
export type { BotTransaction } from './bot-transaction.js'
export type { CallOptions } from './calls.js'
export { type Client, type ClientOptions, createClient } from './client.js'
export type { ConnectionState, Transport } from './events/connection.js'
export type { EventStream } from './events/stream/event-stream.js'
export type { EventsOptions } from './events/stream/stream.js'
export type { Socket, SocketClass } from './events/websocket.js'
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
} from './kernel/api.js'
export type { Credentials } from './kernel/credentials.js'
export { ApiError, ConnectionError, TimeoutError } from './kernel/errors.js'
export { createStore, type Store, type WritableStore } from './kernel/store.js'
export type { UploadOptions } from './uploads/upload.js'
export type { Uploaded } from './uploads/upload-request.js'
