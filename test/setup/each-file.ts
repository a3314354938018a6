/** What is done around each test file: one process runs many of them, one after the other. */
import { afterAll } from 'vitest'
import { endProcesses } from './processes.js'
import { closeOwnReplicas } from './realm.js'

const { FormData } = globalThis

afterAll(async () => {
  await closeOwnReplicas()
  await endProcesses()
  // A package of zulip-js puts its own in the place of that of Node.
  globalThis.FormData = FormData
})
