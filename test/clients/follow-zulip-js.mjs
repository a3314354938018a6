/**
 * Follows events with zulip-js until it is killed, and prints each as a line of JSON:
 * `node follow-zulip-js.mjs zuliprc type…`.
 *
 * The loop of zulip-js cannot be stopped, so it runs in a process of its own.
 */
import zulipInit from 'zulip-js'

const [, , zuliprc, ...types] = process.argv
const zulip = await zulipInit({ zuliprc })
await zulip.callOnEachEvent((event) => process.stdout.write(`${JSON.stringify(event)}\n`), types)
