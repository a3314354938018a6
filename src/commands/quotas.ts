/** The quotas of organizations. */
import type { RealmQuotas } from '../domain/realm/realm-changes.js'
import { command, UsageError } from './command.js'
import { findRealm } from './lookup.js'

/** Parses a quota: a number from 0 on, or `none`, which is null. Throws UsageError. */
const parseQuota = (text: string, what: string): number | null => {
  if (text === 'none') return null
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${text} is not a number of ${what}.`)
  return Number(text)
}

/** The commands for quotas, in the order of the help. */
export const quotaCommands = [
  command({
    name: 'quota',
    takes: ['realm'],
    options: {
      users: { value: 'NUMBER', about: 'active accounts of humans' },
      messages: { value: 'NUMBER', about: 'stored messages' },
      'calls-per-minute': { value: 'NUMBER', about: 'calls of all accounts together, without polls for events' },
      'upload-mib': { value: 'NUMBER', about: 'the total size of uploaded files' },
    },
    about:
      'Limits what an organization may have, and prints its quotas. NUMBER is a number, or none, which removes the limit.\n' +
      'An organization that has more already keeps it, and cannot add anything.',
    async run(context, { realm: string_id, options }) {
      const { users, messages, 'calls-per-minute': calls, 'upload-mib': uploads } = options
      const quotas: Partial<RealmQuotas> = {
        ...(users === undefined ? {} : { user_quota: parseQuota(users, 'users') }),
        ...(messages === undefined ? {} : { message_quota: parseQuota(messages, 'messages') }),
        ...(calls === undefined ? {} : { call_quota: parseQuota(calls, 'calls') }),
        ...(uploads === undefined ? {} : { upload_quota_mib: parseQuota(uploads, 'MiB') }),
      }
      if (quotas.call_quota === 0)
        throw new UsageError('--calls-per-minute must be at least 1: deactivate-realm refuses all calls.')
      const administration = await context.open()
      const realm = await findRealm(administration, string_id)
      await administration.setQuotas(realm, quotas)
      if (quotas.call_quota != null && context.config().RATE_LIMITS === 'off')
        context.tell('Gateways whose RATE_LIMITS is off, as it is here, do not count calls.')
      const { user_quota, message_quota, call_quota, upload_quota_mib } = realm.state.realm
      return { realm: string_id, user_quota, message_quota, call_quota, upload_quota_mib }
    },
  }),

  command({
    name: 'upload-quota',
    takes: ['realm', 'MIB'],
    about: "Limits the total size of the organization's uploaded files, as quota does. MIB is a number, or none.",
    async run(context, input) {
      const upload_quota_mib = parseQuota(input.MIB, 'MiB')
      const administration = await context.open()
      await administration.setQuotas(await findRealm(administration, input.realm), { upload_quota_mib })
      return { realm: input.realm, upload_quota_mib }
    },
  }),
]
