/** Builds the client library before npm packs it, if the build is missing or out of date: `npm pack ./client`. */
import { prepare } from './prepare.mjs'

await prepare()
