/**
 * Commands that clients send as text, such as `/night`. Source: protocol/endpoints.md 3.1.
 */
import { z } from 'zod'
import { realmHost } from '../../../config/hosts.js'
import { errors } from '../../../domain/protocol/errors.js'
import type { UserSettings } from '../../../domain/settings/user-settings.js'
import { setSettings } from '../../../domain/users/accounts/account-changes.js'
import { commitSteps } from '../../../store/log/change.js'
import { loadAccount } from '../../../store/users/account-changes.js'
import { endpoint } from '../../call/endpoint.js'
import { str } from '../../call/params.js'

/** The settings that each command sets; a ping sets none. */
const commands: { readonly [name: string]: Partial<UserSettings> } = {
  ping: {},
  day: { color_scheme: 3 },
  light: { color_scheme: 3 },
  night: { color_scheme: 2 },
  dark: { color_scheme: 2 },
  'fluid-width': { fluid_layout_width: true },
  'fixed-width': { fluid_layout_width: false },
}

export const runCommand = endpoint({
  method: 'POST',
  path: '/zcommand',
  summary: 'Runs a command such as `/night`.',
  callers: 'human',
  keyScope: 'write',
  params: {
    command: str().describe(
      Object.keys(commands)
        .map((name) => `\`/${name}\``)
        .join(', '),
    ),
  },
  example: { command: '/ping' },
  response: z.object({}),
  changesStructure: true,
  async handle(call) {
    const { app, state, caller, params, write } = call
    const settings = parseCommand(params.command)
    const account = await loadAccount(write, state, caller.user, realmHost(state.realm.string_id, app.config))
    await commitSteps(write, [setSettings(account, settings)])
    return {}
  },
})

/** The settings that a command sets. Throws BAD_REQUEST for an unknown command. */
const parseCommand = (command: string): Partial<UserSettings> => {
  if (!command.startsWith('/')) throw errors.badRequest('A command must begin with a slash.')
  const name = command.slice(1).trim()
  const settings = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (settings === undefined) throw errors.badRequest('There is no command {name}.', { name })
  return settings
}
