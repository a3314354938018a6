/**
 * Exports of an organization's data: requesting, listing and deleting them, and downloading the archive.
 *
 * Source: protocol/endpoints.md 3.11.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { realmUrl } from '../../../config/hosts.js'
import { errors } from '../../../domain/protocol/errors.js'
import { since } from '../../../domain/protocol/later-levels.js'
import { realmExport } from '../../../domain/realm/realm-export-entries.js'
import { hasConsentedToExport, hasConsentingOwner } from '../../../store/realm/export-content.js'
import { beginExport, deleteExport, exportKey, hasArchive, loadExports } from '../../../store/realm/realm-exports.js'
import { endpoint, streamed } from '../../call/endpoint.js'
import { idInPath, int, textInPath } from '../../call/params.js'
import { composeDisposition, countDownload, sendStoredFile } from '../files/file-transfer.js'

export const requestExport = endpoint({
  method: 'POST',
  path: '/export/realm',
  summary: "Requests an archive of the organization's data. A realm_export event reports when it is complete.",
  callers: 'administrator',
  params: {
    export_type: int().default(1).describe('1: public data; 2: also private data of users who consented'),
  },
  response: z.object({ id: z.int() }),
  async handle({ app, caller, state, write, params: { export_type } }) {
    if (export_type !== 1 && export_type !== 2)
      throw errors.badRequest('export_type must be 1 (public data) or 2 (also private data of users who consented).')
    if (export_type === 2 && !hasConsentingOwner(state)) {
      throw errors.badRequest('At least one owner must consent before private data can be exported.')
    }
    const realm_url = realmUrl(state.realm.string_id, app.config)
    const composeAnswer = (id: number) => ({ id })
    return write.answering(composeAnswer, (keyed) => beginExport(keyed, caller.user, { export_type, realm_url }))
  },
})

export const getExports = endpoint({
  method: 'GET',
  path: '/export/realm',
  summary:
    "Lists the exports of the organization's data; those with an audit log to owners only, and the URL of an archive only to its requester.",
  callers: 'administrator',
  params: {},
  response: z.object({ exports: z.array(realmExport) }),
  handle: async ({ app, realm, caller }) => ({ exports: await loadExports(app.store.sql, realm.id, caller.user) }),
})

export const removeExport = endpoint({
  method: 'DELETE',
  path: '/export/realm/{export_id}',
  summary: 'Deletes the archive of an export.',
  callers: 'administrator',
  params: { export_id: idInPath() },
  noExample: 'A worker has to write the archive first.',
  response: z.object({}),
  async handle({ app, caller, write, params }) {
    await deleteExport(write, app.store.files, params.export_id, caller.user)
    return {}
  },
})

export const getExportConsents = endpoint({
  method: 'GET',
  path: '/export/realm/consents',
  summary: 'Lists for each user whether the user consented to the export of their private data.',
  callers: 'administrator',
  params: {},
  response: z.object({
    export_consents: z.array(
      z.object({
        user_id: z.int(),
        consented: z.boolean(),
        email_address_visibility: since(430, z.int()),
      }),
    ),
  }),
  handle: ({ state }) => ({
    export_consents: [...state.users.values()]
      .filter((user) => user.is_active && !user.is_bot)
      .map((user) => ({
        user_id: user.id,
        consented: hasConsentedToExport(user),
        email_address_visibility: state.userSettings(user).email_address_visibility,
      })),
  }),
})

export const getExportArchive = streamed({
  method: 'GET',
  site: true,
  path: '/user_avatars/exports/{realm_id}/{secret}/{name}',
  summary: 'Downloads the archive of an export that the caller requested, by the URL in the list of exports.',
  callers: 'administrator',
  params: { realm_id: idInPath(), secret: textInPath(), name: textInPath() },
  response: z.object({}),
  rateLimit: null,
  async handle({ app, realm, caller, params: { realm_id, secret }, request }, exchange) {
    const owner = await countDownload(app, request, realm, caller.user)
    if (realm.id !== realm_id || !(await hasArchive(app.store.sql, realm_id, secret, caller.user))) {
      throw errors.unknownPath({ path: 'export' })
    }
    return sendStoredFile(app, exchange, owner, {
      key: exportKey(realm_id, secret),
      type: 'application/gzip',
      disposition: composeDisposition('attachment', 'export.tar.gz'),
      caching: 'private, no-store',
      tag: createHash('sha256').update(secret).digest('base64url'),
    })
  },
})
