/** Commands for directories (LDAP, Active Directory). */
import { OperatorError } from '../administration/operator-error.js'
import { Role } from '../domain/log/rows.js'
import type { RealmState } from '../domain/log/state.js'
import { listDirectories } from '../domain/log-in/directories.js'
import type { SynchronizationPlan } from '../domain/log-in/directory-synchronization.js'
import { DirectoryError } from '../store/log-in/directory-client.js'
import { command } from './command.js'
import { findRealm } from './lookup.js'

/** The commands for directories, in the order of the help. */
export const directoryCommands = [
  command({
    name: 'synchronize-directory',
    takes: ['realm', 'directory'],
    options: {
      'dry-run': { about: 'prints what would change, and changes nothing' },
      force: { about: 'goes on where a run stops because it would deactivate too many accounts, or the last owner' },
    },
    about:
      'Takes over what changed in a directory of LDAP_DIRECTORIES, named by its key: names, addresses, pictures, roles,\n' +
      'groups, and who has no account any more. Workers make the changes.',
    async run(context, { realm: string_id, directory: key, options }) {
      const administration = await context.open()
      const realm = await findRealm(administration, string_id)
      const offered = listDirectories(realm.state, context.config().LDAP_DIRECTORIES)
      const directory = offered.find((one) => one.key === `ldap:${key}`)
      if (directory === undefined) throw new OperatorError(`${string_id} has no directory ${key} in LDAP_DIRECTORIES.`)
      if (directory.synchronization === undefined)
        throw new OperatorError(`The directory ${key} has no synchronization in LDAP_DIRECTORIES.`)
      const isDryRun = options['dry-run']
      const before = realm.state
      const plan = await administration
        .synchronizeDirectory(realm, directory, { isDryRun, isForced: options.force })
        .catch((error: unknown) => {
          throw error instanceof DirectoryError ? new OperatorError(error.message) : error
        })
      if (plan.stop !== undefined && !isDryRun) {
        throw new OperatorError(`${plan.stop} Nothing was changed. To go on: --force`)
      }
      const { people, linked, notes, stop } = plan
      return {
        realm: string_id,
        directory: key,
        people,
        linked,
        ...(isDryRun ? describePlan(before, plan) : countPlan(plan)),
        notes,
        ...(stop === undefined ? {} : { stop }),
      }
    },
  }),
]

const countPlan = ({ links, accounts, groups, pictures }: SynchronizationPlan) => ({
  links: links.length,
  accounts: accounts.length,
  groups: groups.length,
  pictures: pictures.length,
})

/** What a run would change, with names instead of ids. */
const describePlan = (state: RealmState, { links, accounts, groups, pictures }: SynchronizationPlan) => {
  const nameOf = (id: number) => state.users.get(id)?.delivery_email ?? String(id)
  const roles = new Map(Object.entries(Role).map(([name, role]) => [role as number, name]))
  return {
    links: links.map(({ user_id }) => nameOf(user_id)),
    accounts: accounts.map(({ user_id, role, ...changes }) => ({
      account: nameOf(user_id),
      ...changes,
      ...(role === undefined ? {} : { role: roles.get(role) }),
    })),
    groups: groups.map(({ group_id, add, remove }) => ({
      group: state.groups.get(group_id)?.name,
      add: add.map(nameOf),
      remove: remove.map(nameOf),
    })),
    pictures: pictures.map(({ user_id, picture }) => ({ account: nameOf(user_id), has_picture: picture !== '' })),
  }
}
