/** The registry of commands, and the help. */
import { letterDistance } from '../domain/text/letter-distance.js'
import { accountCommands } from './accounts.js'
import { backupCommands } from './backup.js'
import { cellCommands } from './cells.js'
import { checkCommands } from './check.js'
import { type Command, UsageError } from './command.js'
import { deletedMessageCommands } from './deleted-messages.js'
import { deploymentCommands } from './deployment.js'
import { directoryCommands } from './directories.js'
import { fileCommands } from './files.js'
import { quotaCommands } from './quotas.js'
import { realmCommands } from './realms.js'
import { recordCommands } from './records.js'
import { restartCommands } from './rolling-restart.js'

/** All commands, in the order of the help. */
const commands: readonly Command[] = [
  ...checkCommands,
  ...deploymentCommands,
  ...restartCommands,
  ...realmCommands,
  ...quotaCommands,
  ...recordCommands,
  ...deletedMessageCommands,
  ...accountCommands,
  ...directoryCommands,
  ...backupCommands,
  ...fileCommands,
  ...cellCommands,
]

/** Letters in which a misspelt name may differ. */
const MOST_WRONG_LETTERS = 3

/** The command with this name. Throws UsageError, which names the command that was probably meant. */
export const findCommand = (name: string): Command => {
  const found = commands.find((one) => one.name === name)
  if (found !== undefined) return found
  const near = commands
    .map((one) => ({ name: one.name, distance: letterDistance([...name], [...one.name]) }))
    .filter(({ distance }) => distance <= MOST_WRONG_LETTERS)
    .sort((a, b) => a.distance - b.distance)[0]
  throw new UsageError(`There is no command ${name}.${near === undefined ? '' : ` Did you mean ${near.name}?`}`)
}

const indent = (text: string, spaces: number): string => text.replaceAll(/^/gm, ' '.repeat(spaces))

/** The help of one command. */
export const composeCommandHelp = ({ usage, about }: Command): string =>
  `node dist/cli.js ${usage}\n\n${indent(about, 2)}`

/** The help of the command line: all commands. */
export const composeHelp = (): string =>
  [
    'node dist/cli.js <command>',
    `${indent('--version', 2)}\n${indent('Prints the version, the build and the commit of this folder. It needs no variables.', 6)}`,
    ...commands.map(({ usage, about }) => `${indent(usage, 2)}\n${indent(about, 6)}`),
    "<realm> is an organization's string_id. DATABASE_URL, REDIS_URL and SECRET_KEY must be set, and BASE_DOMAIN,\n" +
      'ROOT_REALM and PUBLIC_URL must have the same values as for the gateways. If a command does not say otherwise, it\n' +
      'prints its result as one line of JSON. node dist/cli.js <command> --help prints the help of one command.',
  ].join('\n\n')
