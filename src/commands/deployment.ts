/** Commands for the whole deployment. */
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openTraceMap } from '../administration/map-traces.js'
import { command } from './command.js'

/** The commands for the deployment, in the order of the help. */
export const deploymentCommands = [
  command({
    name: 'migrate',
    about: 'Migrates the database. Safe to run at any time, and by several processes at once.',
    async run(context) {
      const administration = await context.open(false)
      return { applied: await administration.migrate() }
    },
  }),

  command({
    name: 'adopt',
    options: { 'as-new': {} },
    about:
      'Makes a restored copy of the database work: until then its processes send nothing. The original, if it still\n' +
      'exists, must not run any more. With --as-new both go on: the copy becomes a deployment of its own, which needs\n' +
      'another Redis and other files. Restart all processes afterwards. docs/operations.md has the steps of a restore.',
    async run(context, { options }) {
      const administration = await context.open(false)
      return administration.adopt(context.config(), options['as-new'])
    },
  }),

  command({
    name: 'map-traces',
    about:
      'Reads log lines from standard input and writes them with the sources in place of the compiled files: in the\n' +
      'folder of the release that wrote them. It needs no variables.',
    async run(context) {
      const map = openTraceMap(fileURLToPath(new URL('..', import.meta.url)))
      for await (const line of createInterface({ input: process.stdin })) context.print(map(line))
      return undefined
    },
  }),
]
