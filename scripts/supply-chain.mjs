/**
 * Asks the registry about the packages of the clone: whether it signed them, and whether the product has one with a
 * known fault of high severity.
 *
 *   npm run supply-chain
 *
 * Where the registry does not serve signatures or advisories, the check is skipped by its name. The exit code is 0 if
 * nothing that was checked is wrong.
 */
import { fileURLToPath } from 'node:url'
import { readFromNpm } from './clone/npm.mjs'
import { installPackages } from './clone/packages.mjs'
import { root } from './clone/root.mjs'

const checks = [
  { name: 'npm audit signatures', args: ['audit', 'signatures'] },
  { name: 'npm audit', args: ['audit', '--omit=dev', '--audit-level=high'] },
]

/** What npm says when it has an answer: how many packages are signed, or which faults they have. */
const answered =
  /verified (?:registry signature|attestation)|(?:invalid|missing) (?:registry )?(?:signature|attestation)|found \d+ vulnerabilit|\d+ (?:\w+ severity )?vulnerabilit/i

/** What npm says where the registry cannot be asked, or has no such service. */
const notServed =
  /\b(?:E?(?:404|405|501|503)|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENOAUDIT|ECONNRESET|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|network)\b|audit endpoint returned an error|no dependencies to audit|not supported/i

/** @returns 'passed', 'failed' or 'skipped' */
export function judge({ status, output }) {
  if (answered.test(output)) return status === 0 ? 'passed' : 'failed'
  return notServed.test(output) ? 'skipped' : 'failed'
}

/** @returns the exit code */
export function run() {
  installPackages()
  let failed = 0
  for (const { name, args } of checks) {
    // npm tries again for minutes otherwise.
    const patience = ['--fetch-retries=0', '--fetch-timeout=20000', '--loglevel=notice']
    const { status, stdout, stderr } = readFromNpm([...args, ...patience], root, 90_000)
    const output = `${stdout}\n${stderr}`
    const found = judge({ status, output })
    if (found === 'skipped') console.log(`SKIPPED ${name}: the registry does not serve it`)
    else console.log(`${found.toUpperCase()} ${name}`)
    if (found !== 'failed') continue
    failed = 1
    console.log(output)
  }
  return failed
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(run())
