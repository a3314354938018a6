import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The clone's folder: the nearest with a package.json above this file, wherever it was compiled to. */
export const root = nearest(dirname(fileURLToPath(import.meta.url)))

function nearest(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : nearest(dirname(folder))
}
