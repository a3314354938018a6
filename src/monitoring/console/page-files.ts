/** The files of the console's page, which the build makes. They are read once. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OperationsPage } from '../operations-server.js'

/** dist/console/, beside the compiled sources. */
const folder = fileURLToPath(new URL('../../console', import.meta.url))

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Nothing but the files and the data of this listener, and no frame. Plots are styled through the CSSOM. */
const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
}

/** Reads the files by path. Without a build there is none. */
export const readPageFiles = (): ReadonlyMap<string, OperationsPage> => {
  const found = new Map<string, OperationsPage>()
  const names = listFiles()
  for (const name of names) {
    const type = types[extname(name)]
    if (type === undefined) continue
    const page = { status: 200, type, text: readFileSync(join(folder, name)), headers: pageHeaders }
    found.set(name === 'index.html' ? '/' : `/${name}`, page)
  }
  return found
}

const listFiles = (): string[] => {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'))
  } catch {
    return []
  }
}
