import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Failure } from './failure.js'
import { root } from './root.js'

export interface Options {
  gateways: number
  workers: number
  /** The first gateway's port; the other gateways use the following ports. */
  port: number
  /** The folder of the data that stays after the run. */
  data: string
}

/** A folder of the clone that git ignores. */
export const DEFAULT_DATA = join(root, '.data')

/** The text that `npm start -- --help` prints. */
export const USAGE = `npm start -- [options]

  --gateways N   gateway processes, on consecutive ports (1)
  --workers N    worker processes (1)
  --port P       the first gateway's port (9991)
  --data DIR     the folder of the database and the keys (.data)
  --help         prints this text

DATABASE_URL and REDIS_URL in the environment replace the embedded Postgres and Redis. Every other variable of
docs/configuration.md goes to all gateways and workers; OPERATIONS_PORT is the port of the first process.`

/** Parses the command line; undefined when it asks for help. Throws a Failure that names the wrong option. */
export function parseOptions(args: string[]): Options | undefined {
  const { gateways, workers, port, data, help } = parseArguments(args)
  if (help) return undefined
  const options = {
    gateways: parseInteger('--gateways', gateways, 1, 64),
    workers: parseInteger('--workers', workers, 0, 64),
    port: parseInteger('--port', port, 1, 65_535),
    data: resolve(data.replace(/^~(?=\/|$)/, homedir())),
  }
  if (options.port + options.gateways - 1 > 65_535)
    throw new Failure(`--port ${port} leaves no room for ${gateways} gateways.`)
  return options
}

function parseArguments(args: string[]) {
  const text = (value: string) => ({ type: 'string', default: value }) as const
  try {
    return parseArgs({
      args,
      options: {
        gateways: text('1'),
        workers: text('1'),
        port: text('9991'),
        data: text(DEFAULT_DATA),
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new Failure(`${(error as Error).message}\n\n${USAGE}`)
  }
}

function parseInteger(name: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  throw new Failure(`${name} must be a whole number from ${least} to ${most}, not "${text}".`)
}
