/**
 * Follows events by zulip-js for ever, and prints each as a line of JSON: `node follow-zulip-js.mjs zuliprc type…`.
 *
 * Its loop cannot be stopped, so it runs in a process that can.
 */
import zulipInit from 'zulip-js'

const [, , zuliprc, ...types] = process.argv
const zulip = await zulipInit({ zuliprc })
await zulip.callOnEachEvent((event) => process.stdout.write(`${JSON.stringify(event)}\n`), types)
