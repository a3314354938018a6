/** Entry point of a gateway process. */
import { readConfig } from './config/config.js'
import { startGateway } from './gateway/main.js'

startGateway(readConfig()).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
