/**
 * Serves pictures of other sites, so that those sites do not learn who reads a message.
 *
 * This server signs the addresses and puts them into messages. They need no credentials, because mail programs have
 * none, and load only what a message shows. A caller who makes the server load many pictures is refused.
 */
import { z } from 'zod'
import { readPictureAddress } from '../../../domain/deployment/media-proxy.js'
import { ApiError, errors } from '../../../domain/protocol/errors.js'
import {
  awaitExternalPicture,
  findExternalPicture,
  forgetExternalPicture,
  type PictureState,
  pictureId,
  requestExternalPicture,
} from '../../../store/files/external-pictures.js'
import type { Realm } from '../../../store/log/realm.js'
import type { WriteContext } from '../../../store/log/write-context.js'
import { authenticateFileRequest } from '../../auth/file-credentials.js'
import { type Call, streamed } from '../../call/endpoint.js'
import { type Param, textInPath } from '../../call/params.js'
import type { App, DownloadOwner } from '../../contract/app.js'
import { countDownload, fileNotFound, sendStoredFile } from './file-transfer.js'

type PictureCall = Pick<
  Call<{ signature: Param<string>; address: Param<string> }, 'anyone'>,
  'app' | 'realm' | 'write' | 'params' | 'request'
>

export const getExternalPicture = streamed({
  method: 'GET',
  site: true,
  path: '/external_content/{signature}/{address}',
  summary: 'Gets a picture of another site, by the address that a message has for it.',
  callers: 'anyone',
  condition: 'The server has signed the address. The handler reads credentials where the request has some.',
  params: { signature: textInPath(), address: textInPath() },
  response: z.object({}),
  rateLimit: null,
  async handle(call: PictureCall, exchange) {
    const { app, realm, write, params, request } = call
    if (realm === undefined || write === undefined) throw fileNotFound()
    const reader = authenticateFileRequest(app, realm, request)
    const owner = await countDownload(app, request, realm, reader)
    if (!realm.state.realm.is_active) throw errors.realmDeactivated()
    const url = readPictureAddress(realm.state.deployment.keys, params.signature, params.address)
    if (url === undefined) throw fileNotFound()
    const picture = await findPicture(app, realm, write, owner, url)
    if (typeof picture === 'string') throw fileNotFound()
    const { key, size, content_type: type } = picture
    const file = { key, size, type, disposition: 'inline', caching, tag: key }
    return sendStoredFile(app, exchange, owner, file).catch(async (error: unknown) => {
      // The file was not copied with the database: the next reader loads the picture again.
      if (error instanceof ApiError && error.status === 404)
        await forgetExternalPicture(app.store.sql, realm.id, pictureId(url), key)
      throw error
    })
  },
})

/** The site may show another picture under the same address some time. */
const caching = 'private, max-age=86400'

/** The picture, which is loaded first if this server does not have it. Throws RATE_LIMIT_HIT. */
const findPicture = async (
  app: App,
  realm: Realm,
  { dependencies }: WriteContext,
  owner: DownloadOwner,
  url: string,
): Promise<PictureState> => {
  const id = pictureId(url)
  const found = await findExternalPicture(app.store.sql, realm.id, id)
  if (found !== 'unknown' && found !== 'loading') return found
  if (found === 'unknown') {
    await spendLoad(app, owner)
    await requestExternalPicture(dependencies, realm.id, url)
  }
  return awaitOnce(app, realm.id, id)
}

/** Counts a picture that is loaded for this caller. Throws RATE_LIMIT_HIT. */
const spendLoad = async ({ allowances }: App, owner: DownloadOwner): Promise<void> => {
  const allowance = await ('account' in owner
    ? allowances.consume('external_pictures_by_user', owner.account)
    : allowances.consume('external_pictures_by_ip', owner.address))
  if (allowance?.retry_after !== undefined) throw errors.rateLimitHit({ 'retry-after': allowance.retry_after })
}

/** Those that readers of this process wait for: the database is asked once for all of them. */
const awaited = new WeakMap<App, Map<string, Promise<PictureState>>>()

const awaitOnce = (app: App, realm_id: number, id: string): Promise<PictureState> => {
  const waiting = awaited.get(app) ?? new Map<string, Promise<PictureState>>()
  awaited.set(app, waiting)
  const key = `${realm_id}:${id}`
  const known = waiting.get(key)
  if (known !== undefined) return known
  const state = awaitExternalPicture(app.store.sql, realm_id, id).finally(() => waiting.delete(key))
  waiting.set(key, state)
  return state
}
