/** Message brokers of tests: they run on loopback, can be killed, and start again with their data. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { openProcessGroup, type ProcessGroup } from '../../../src/dev/process-group.js'
import { type RunningServer, startServer } from '../../../src/dev/server.js'

/** A broker of one test file. */
export interface TestBroker {
  /** Its URL for the configuration, with a login where it asks for one. */
  url: string
  /** Ends it with SIGKILL. */
  kill(): Promise<void>
  /** Starts it again, on the same port and with the same data. */
  start(): Promise<void>
}

interface BrokerProgram {
  name: string
  command: string
  args: string[]
  folder: string
  isReady(log: string): boolean
}

let group: ProcessGroup | undefined
let count = 0

/** A folder for the configuration and the data of a broker. */
export const makeBrokerFolder = (name: string): string => {
  const folder = join(inject('log_folder'), `${name}-of-test-${process.pid}-${++count}`)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Starts a broker. It ends with the test process at the latest. */
export const startBrokerProcess = async (program: BrokerProgram): Promise<Omit<TestBroker, 'url'>> => {
  let server: RunningServer | undefined
  const start = async () => {
    group ??= openProcessGroup(() => {})
    const logFile = join(program.folder, 'output.log')
    server = await startServer(group, { ...program, signal: 'SIGTERM', options: {}, logFile })
  }
  await start()
  return {
    start,
    async kill() {
      server?.child.kill('SIGKILL')
      await server?.ended
    },
  }
}
