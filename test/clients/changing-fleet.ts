/** Two gateways behind a balancer. A test replaces one at a time, by killing or draining it. */
import { startGateway, type TestProcess } from '../setup/processes/processes.js'
import { type Balancer, startBalancer } from './balancer.js'

export interface ChangingFleet extends AsyncDisposable {
  address: Balancer
  /** Ends the gateway with more waiting requests. Resolves when a new gateway has replaced it. */
  replace(how: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

/** @param host the Host header that selects the realm */
export const startChangingFleet = async (host: string): Promise<ChangingFleet> => {
  let alive: TestProcess[] = await Promise.all([startGateway(), startGateway()])
  const urls = () => alive.map(({ url }) => url)
  const address = await startBalancer(host, urls())
  return {
    address,
    async replace(how) {
      const [leaving, ...others] = alive.sort((a, b) => address.countWaiting(b.url) - address.countWaiting(a.url))
      alive = others
      leaving?.signal(how)
      address.setGateways(urls())
      await leaving?.ended
      alive.push(await startGateway())
      address.setGateways(urls())
    },
    async [Symbol.asyncDispose]() {
      await address[Symbol.asyncDispose]()
      await Promise.all(alive.map((gateway) => gateway.stop()))
    },
  }
}
