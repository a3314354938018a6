/** What is done around each test file: one process runs many of them, one after the other. */
import { afterAll } from 'vitest'
import { endProcesses } from './processes/processes.js'
import { closeOwnReplicas } from './realm/realm.js'

afterAll(async () => {
  await closeOwnReplicas()
  await endProcesses()
})
