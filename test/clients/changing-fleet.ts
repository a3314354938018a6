/** Two gateways behind one address, one of which at a time is taken away and replaced: killed, or drained first. */
import { startGateway, type TestProcess } from '../setup/processes.js'
import { type Balancer, startBalancer } from './balancer.js'

export interface ChangingFleet extends AsyncDisposable {
  address: Balancer
  /** Ends the gateway that more requests wait for, and resolves when a new one has taken its place. */
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
      const [going, ...others] = alive.sort((a, b) => address.waiting(b.url) - address.waiting(a.url))
      alive = others
      going?.signal(how)
      address.lead(urls())
      await going?.ended
      alive.push(await startGateway())
      address.lead(urls())
    },
    async [Symbol.asyncDispose]() {
      await address[Symbol.asyncDispose]()
      await Promise.all(alive.map((gateway) => gateway.stop()))
    },
  }
}
