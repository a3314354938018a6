/**
 * Pages that the build wrote to a folder of dist/, with a compressed form of each text beside it, served from memory.
 *
 * 1. Names below assets/ contain a hash of the content, so browsers keep these files for ever. The page itself is asked
 *    for each time, and answered with 304 while it is the same.
 * 2. The build compressed each text; a request costs a look-up and a write.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, posix, relative } from 'node:path'
import { acceptsValue, hasTag } from '../contract/header-values.js'
import type { Headers } from '../contract/transport.js'
import type { SitePage } from '../pages/site-page.js'

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

/** Where the files of a folder are served, and with which headers besides those of caching. */
export interface BuiltFiles {
  folder: string
  /** the path of index.html; those of the other files are below it: `/`, `/api/docs` */
  path: string
  headers: Headers
}

/** Reads a folder into memory. @returns its pages; none if it was not built */
export const openBuiltFiles = (files: BuiltFiles): SitePage[] => {
  if (!existsSync(join(files.folder, 'index.html'))) return []
  return readdirSync(files.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !encodings.some(({ ending }) => entry.name.endsWith(ending)))
    .map((entry) => openFile(files, join(entry.parentPath, entry.name)))
}

const openFile = ({ folder, path, headers: input }: BuiltFiles, file: string): SitePage => {
  const name = relative(folder, file).replaceAll('\\', '/')
  const plain = readFileSync(file)
  const compressed = encodings
    .filter(({ ending }) => existsSync(file + ending))
    .map(({ name, ending }) => ({ name, bytes: readFileSync(file + ending) }))
  const tag = createHash('sha256').update(plain).digest('base64url')
  const headers: Headers = {
    ...input,
    'Content-Type': contentTypes[extname(file)] ?? 'application/octet-stream',
    'Cache-Control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    // Weak, because all forms have the same one.
    ETag: `W/"${tag}"`,
    Vary: 'Accept-Encoding',
  }
  return {
    path: name === 'index.html' ? path : posix.join(path, name),
    serve(request) {
      if (hasTag(request.header('if-none-match'), tag)) return { status: 304, headers, body: '' }
      const accepted = request.header('accept-encoding')
      const file = compressed.find(({ name }) => acceptsValue(accepted, name))
      if (file === undefined) return { status: 200, headers, body: plain }
      return { status: 200, headers: { ...headers, 'Content-Encoding': file.name }, body: file.bytes }
    },
  }
}
