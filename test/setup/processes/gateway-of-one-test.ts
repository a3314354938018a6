/** A realm with two people, and a gateway that only this test uses: it may measure, stop or kill it. */
import { expect } from 'vitest'
import type { Person } from '../realm/realm.js'
import { newQuietRealm } from '../realm/realm-with-people.js'
import { sendRequest } from '../requests/raw-request.js'
import { startGateway, type TestProcess } from './processes.js'

export interface GatewayOfOneTest extends AsyncDisposable {
  gateway: TestProcess
  ada: Person
  grace: Person
}

/** Starts them. @param env overrides the environment of the fleet */
export const startOwnGateway = async (env: Record<string, string> = {}): Promise<GatewayOfOneTest> => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  const [ada, grace] = people as [Person, Person]
  const gateway = await startGateway(env)
  return {
    gateway,
    ada,
    grace,
    async [Symbol.asyncDispose]() {
      await gateway.stop()
      await realm[Symbol.asyncDispose]()
    },
  }
}

/** The port of an address. */
export const portOf = (url: string): number => Number(new URL(url).port)

/** Waits until a gauge of the gateway has the wanted values. The keys are the values of its only label. */
export const waitForGauge = async (
  { operations_url }: TestProcess,
  name: string,
  wanted: Record<string, number>,
): Promise<void> => {
  const read = async () => {
    const { text } = await sendRequest(portOf(operations_url), { path: '/metrics' })
    const readValue = (label: string) => Number(new RegExp(`^${name}\\{\\w+="${label}"\\} (\\d+)`, 'm').exec(text)?.[1])
    return Object.fromEntries(Object.keys(wanted).map((label) => [label, readValue(label)]))
  }
  await expect.poll(read, { timeout: 10_000 }).toEqual(wanted)
}
