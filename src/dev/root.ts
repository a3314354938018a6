import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The clone's folder. It is the nearest folder above this file that has a package.json, wherever this file was compiled
 * to.
 */
export const root = findPackageFolder(dirname(fileURLToPath(import.meta.url)))

function findPackageFolder(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findPackageFolder(dirname(folder))
}
