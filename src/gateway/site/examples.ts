/**
 * The examples of the API reference: a request and its answer for each endpoint, and an event of each kind.
 *
 * examples.json was recorded from a server: the calls are those that the endpoints declare (`example`).
 * test/reference/examples.test.ts makes them again, and fails if an answer differs.
 */
import { readFile } from 'node:fs/promises'

/** One recorded call: all its parameters, those of the path included. */
export interface CallExample {
  params: Readonly<Record<string, unknown>>
  answer: unknown
}

/** Examples by the name of the endpoint, and by the kind of the entry. */
export interface Examples {
  calls: Readonly<Record<string, CallExample>>
  events: Readonly<Record<string, unknown>>
}

/** No examples: for the types of the client library. */
export const noExamples: Examples = { calls: {}, events: {} }

/** Reads the examples of all endpoints and events. */
export const readExamples = async (): Promise<Examples> =>
  JSON.parse(await readFile(new URL('./examples.json', import.meta.url), 'utf8'))
