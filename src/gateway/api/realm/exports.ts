/**
 * Exports of an organization's data: asking for one, listing them, deleting one, and fetching the archive.
 *
 * Source: endpoints.md 3.11.
 */
import { z } from 'zod'
import { realmUrl } from '../../../config/hosts.js'
import { Role } from '../../../domain/log/rows.js'
import { errors } from '../../../domain/protocol/errors.js'
import { realmExport } from '../../../domain/realm/realm-export-entries.js'
import { hasConsentedToExport } from '../../../store/realm/export-content.js'
import { beginExport, deleteExport, exportKey, hasArchive, loadExports } from '../../../store/realm/realm-exports.js'
import { endpoint, streamed, streaming } from '../../http/endpoint.js'
import { idInPath, int, textInPath } from '../../http/params.js'
import type { HttpExchange } from '../../http/transport.js'

export const requestExport = endpoint({
  method: 'POST',
  path: '/export/realm',
  summary: "Asks for an archive of the organization's data. A realm_export event tells when it is there.",
  access: 'administrator',
  params: {
    export_type: int().default(1).describe('1: what is public; 2: with private data of those who consent to it'),
  },
  response: z.object({ id: z.int() }),
  async handle({ app, caller, state, write, params: { export_type } }) {
    if (export_type !== 1 && export_type !== 2)
      throw errors.badRequest('export_type must be 1 (public data) or 2 (also of those who consent).')
    const isOwner = (role: number) => role === Role.owner
    const anOwnerConsents = () =>
      [...state.users.values()].some((user) => user.is_active && isOwner(user.role) && hasConsentedToExport(user))
    if (export_type === 2 && !anOwnerConsents()) {
      throw errors.badRequest('At least one owner must consent before private data can be exported.')
    }
    const realm_url = realmUrl(state.realm.string_id, app.config)
    return { id: await beginExport(write, caller.user, { export_type, realm_url }) }
  },
})

export const getExports = endpoint({
  method: 'GET',
  path: '/export/realm',
  summary: "Lists the exports of the organization's data.",
  access: 'administrator',
  params: {},
  response: z.object({ exports: z.array(realmExport) }),
  handle: async ({ app, realm }) => ({ exports: await loadExports(app.store.sql, realm.id) }),
})

export const removeExport = endpoint({
  method: 'DELETE',
  path: '/export/realm/{export_id}',
  summary: 'Deletes the archive of an export.',
  access: 'administrator',
  params: { export_id: idInPath() },
  response: z.object({}),
  async handle({ app, write, params }) {
    await deleteExport(write, app.store.files, params.export_id)
    return {}
  },
})

export const getExportConsents = endpoint({
  method: 'GET',
  path: '/export/realm/consents',
  summary: 'Lists who lets administrators export what only they may read.',
  access: 'administrator',
  params: {},
  response: z.object({ export_consents: z.array(z.object({ user_id: z.int(), consented: z.boolean() })) }),
  handle: ({ state }) => ({
    export_consents: [...state.users.values()]
      .filter((user) => user.is_active && !user.is_bot)
      .map((user) => ({ user_id: user.id, consented: hasConsentedToExport(user) })),
  }),
})

export const getExportArchive = streamed({
  method: 'GET',
  site: true,
  path: '/user_avatars/exports/{realm_id}/{secret}/{name}',
  summary: 'Gets the archive of an export, by the address that the list of exports tells.',
  access: 'anyone',
  params: { realm_id: idInPath(), secret: textInPath(), name: textInPath() },
  response: z.object({}),
  rateLimit: null,
  async handle({ app, realm, params: { realm_id, secret } }, exchange) {
    const isThere = realm?.id === realm_id && (await hasArchive(app.store.sql, realm_id, secret))
    const archive = isThere ? await app.store.files.open(exportKey(realm_id, secret)) : undefined
    if (archive === undefined) throw errors.unknownPath({ path: 'export' })
    exchange.startStream({
      'Content-Type': 'application/gzip',
      'Content-Disposition': 'attachment; filename="export.tar.gz"',
      'Cache-Control': 'private, no-store',
    })
    void send(archive.pieces, exchange)
    return streaming
  },
})

/** Sends the pieces as fast as the client takes them. */
const send = async (pieces: AsyncIterable<Uint8Array>, exchange: HttpExchange): Promise<void> => {
  try {
    for await (const piece of pieces) {
      if (exchange.aborted) return
      if (!exchange.write(piece)) await drained(exchange)
    }
    exchange.end()
  } catch {
    // What is missing cannot be told any more, but that something is.
    exchange.closeConnection()
  }
}

const drained = (exchange: HttpExchange): Promise<void> =>
  new Promise((resolve) => {
    exchange.onDrained(resolve)
    exchange.onAborted(resolve)
  })
