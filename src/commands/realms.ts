/** Commands for organizations. */

import { OperatorError } from '../administration/operator-error.js'
import { isStringId } from '../domain/realm/string-id.js'
import { openFileStorage } from '../store/files/open-file-storage.js'
import { command, UsageError } from './command.js'
import { findRealm } from './lookup.js'

const createRealm = command({
  name: 'create-realm',
  takes: ['string_id'],
  options: {
    name: { value: 'NAME', required: true },
    'owner-email': { value: 'EMAIL', required: true },
    'owner-name': { value: 'NAME', required: true },
    'owner-password': { value: 'PASSWORD' },
  },
  about:
    'Creates an organization, reached as <string_id>.BASE_DOMAIN, and its owner, or neither. Prints the API key of\n' +
    'the owner.',
  async run(context, { string_id, options }) {
    if (!isStringId(string_id))
      throw new UsageError(`${string_id} cannot be part of a host name: use a-z, 0-9 and hyphens.`)
    const administration = await context.open()
    const owner = { email: options['owner-email'], full_name: options['owner-name'] }
    const password = options['owner-password']
    const { realm_id, user } = await administration.createRealmWithOwner(
      { string_id, name: options.name },
      password === undefined ? owner : { ...owner, password },
    )
    if (password === undefined) {
      context.tell(
        `${user.email} has no password, and apps ask for one. Let the owner choose one:\n` +
          `node dist/cli.js reset-password ${string_id} ${user.email}`,
      )
    }
    return { realm: string_id, realm_id, owner: user }
  },
})

/** The commands for organizations, in the order of the help. */
export const realmCommands = [
  createRealm,

  command({
    name: 'list-realms',
    about: 'Lists the organizations.',
    async run(context) {
      return { realms: await (await context.open()).listRealms() }
    },
  }),

  command({
    name: 'deactivate-realm',
    takes: ['realm'],
    about: 'Deactivates an organization: its accounts cannot make calls any more. Its data is kept.',
    async run(context, input) {
      const administration = await context.open()
      await administration.deactivate(await findRealm(administration, input.realm))
      return { realm: input.realm, is_active: false }
    },
  }),

  command({
    name: 'reactivate-realm',
    takes: ['realm'],
    about: 'Reactivates a deactivated organization. Data that was deleted since then stays deleted.',
    async run(context, input) {
      const administration = await context.open()
      await administration.reactivate(await findRealm(administration, input.realm))
      return { realm: input.realm, is_active: true }
    },
  }),

  command({
    name: 'delete-realm',
    takes: ['realm'],
    options: { 'free-name': { about: 'another organization can then get the name; without it, none can' } },
    about:
      'Deletes the data of a deactivated organization: accounts, messages and files, at once and for good. Export it\n' +
      'before, if it may be needed.',
    async run(context, input) {
      const administration = await context.open()
      const realm = await findRealm(administration, input.realm)
      if (realm.state.realm.is_active) {
        throw new OperatorError(
          `${input.realm} is active. If its data is to be deleted: node dist/cli.js deactivate-realm ${input.realm}`,
        )
      }
      if (realm.state.realm.is_moving)
        throw new OperatorError(`${input.realm} was moved to another cell: use delete-moved-realm.`)
      const files = await openFileStorage(context.config())
      await administration.deleteRealm(realm, files, input.options['free-name'])
      return { realm: input.realm, is_deleted: true }
    },
  }),
]
