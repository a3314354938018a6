/**
 * The web client: the files that the build wrote to dist/web, served from memory.
 *
 * 1. Names below /assets/ contain a hash of the content, so browsers keep these files for ever. The other files are
 *    asked for each time, and answered with 304 while they are the same.
 * 2. The build compressed each text; a request costs a look-up and a write.
 * 3. The page may run and load only what this server serves, and no inline script or style.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { acceptsValue, hasTag } from '../http/header-values.js'
import type { SitePage } from '../http/site-page.js'
import type { Headers } from '../http/transport.js'

const builtFolder = fileURLToPath(new URL('../../web/', import.meta.url))

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "media-src 'self' https:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/** The compressed forms beside a file, the smallest first. */
const encodings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const

/** Reads the web client into memory. @returns its pages; none if it was not built */
export const openWebClient = (folder = builtFolder): SitePage[] => {
  if (!existsSync(join(folder, 'index.html'))) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !encodings.some(({ ending }) => entry.name.endsWith(ending)))
    .map((entry) => openFile(folder, join(entry.parentPath ?? entry.path, entry.name)))
}

const openFile = (folder: string, file: string): SitePage => {
  const path = `/${relative(folder, file).replaceAll('\\', '/')}`
  const plain = readFileSync(file)
  const compressed = encodings
    .filter(({ ending }) => existsSync(file + ending))
    .map(({ name, ending }) => ({ name, bytes: readFileSync(file + ending) }))
  const tag = createHash('sha256').update(plain).digest('base64url')
  const headers: Headers = {
    'Content-Type': contentTypes[extname(file)] ?? 'application/octet-stream',
    'Cache-Control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'same-origin',
    // Weak, because all forms have the same one.
    ETag: `W/"${tag}"`,
    Vary: 'Accept-Encoding',
  }
  return {
    path: path === '/index.html' ? '/' : path,
    serve(request) {
      if (hasTag(request.header('if-none-match'), tag)) return { status: 304, headers, body: '' }
      const accepted = request.header('accept-encoding')
      const form = compressed.find(({ name }) => acceptsValue(accepted, name))
      if (form === undefined) return { status: 200, headers, body: plain }
      return { status: 200, headers: { ...headers, 'Content-Encoding': form.name }, body: form.bytes }
    },
  }
}
