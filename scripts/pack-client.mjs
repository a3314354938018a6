/**
 * Packs the client library as one file, such as parley-client-0.1.0.tgz, which other projects install:
 *
 *   node scripts/pack-client.mjs FOLDER
 *
 * It builds the library first, if the build is missing or out of date. `npm pack ./client` alone packs what was built:
 * no package of ours has a script that npm starts by itself.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { runNpm } from './clone/npm.mjs'
import { prepare, root, stop } from './prepare.mjs'

const [folder] = process.argv.slice(2)
if (folder === undefined || !existsSync(folder)) stop('Name an existing folder: node scripts/pack-client.mjs FOLDER')
await prepare()
if (!runNpm(['pack', '--pack-destination', resolve(folder)], `${root}client`)) stop('The library could not be packed.')
