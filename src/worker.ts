/** Entry point of a worker process. */
import { readConfig } from './config/config.js'
import { startWorker } from './workers/main.js'

startWorker(readConfig()).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
