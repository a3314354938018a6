// Removes the builds of uWebSockets.js that this machine cannot load: those for other systems, processors and versions
// of Node. The package has 20 builds (115 MB). A clone and the Dockerfile run this after `npm ci`.
import { readdirSync, rmSync } from 'node:fs'

/** The versions of Node's binary interface in the names of the builds: those of the supported Node 22 and Node 24. */
const supported = ['127', '137']
const kept = supported.map((version) => `uws_${process.platform}_${process.arch}_${version}.node`)
const installed = new URL('../node_modules/uWebSockets.js/', import.meta.url)

for (const name of readdirSync(installed)) {
  if (name.endsWith('.node') && !kept.includes(name)) rmSync(new URL(name, installed))
}
