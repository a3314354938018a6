/** Entry point of a gateway process. */
import { loadConfig } from './config/config.js'
import { startGateway } from './gateway/main.js'

startGateway(loadConfig()).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
