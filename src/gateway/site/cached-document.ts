/**
 * A large document without an organization: it is composed and compressed once per process, when it is first requested.
 * A client that has it already gets 304.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { acceptsValue, hasTag } from '../contract/header-values.js'
import type { Headers } from '../contract/transport.js'
import type { SitePageReply, SitePageRequest } from '../pages/site-page.js'

interface Composed {
  text: string
  headers: Headers
}

interface Prepared {
  plain: Uint8Array
  compressed: Uint8Array
  headers: Headers
  /** the ETag without its quotes */
  tag: string
}

const compress = promisify(gzip)

/** Returns a function that answers requests for the document. */
export const cacheDocument = (
  compose: () => Promise<Composed>,
): ((request: SitePageRequest) => Promise<SitePageReply>) => {
  let prepared: Promise<Prepared> | undefined
  return async (request) => {
    prepared ??= compose().then(prepare)
    const { plain, compressed, headers, tag } = await prepared
    if (hasTag(request.header('if-none-match'), tag)) return { status: 304, headers, body: '' }
    return acceptsValue(request.header('accept-encoding'), 'gzip')
      ? { status: 200, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: compressed }
      : { status: 200, headers, body: plain }
  }
}

const prepare = async ({ text, headers }: Composed): Promise<Prepared> => {
  const plain = Buffer.from(text)
  const tag = createHash('sha256').update(plain).digest('base64url')
  return {
    plain,
    compressed: await compress(plain),
    // Weak, because the compressed and the plain form have the same one.
    headers: { ...headers, ETag: `W/"${tag}"`, 'Cache-Control': 'public, no-cache', Vary: 'Accept-Encoding' },
    tag,
  }
}
