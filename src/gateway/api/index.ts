/**
 * The registry: every endpoint of the API, under the name of its operation.
 *
 * The name labels metrics, is the operation id in the reference, and the method of the typed client in tests. Adding
 * an endpoint is a definition in a file of this folder, and one line in each list here.
 */
import type { Registry } from '../http/endpoint.js'
import { deleteEvents, getEvents } from './events.js'
import { getServerSettings } from './server-settings.js'

export const registry = {
  getServerSettings,
  getEvents,
  deleteEvents,
} as const satisfies Registry
