/**
 * certbot and Let's Encrypt on a scratch machine: asks for the challenge over HTTP as they do, signs the certificate
 * with an authority that the machine trusts, puts it where certbot puts it, and runs the hook.
 */
import { execFileSync, execSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'

const text = { type: 'string' }
const flag = { type: 'boolean' }
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...{ nginx: flag, standalone: flag, 'http-01-address': text, 'http-01-port': text, 'force-renewal': flag },
    ...{ 'non-interactive': flag, 'agree-tos': flag, email: text, domain: text, 'deploy-hook': text },
  },
})
if (positionals[0] !== 'certonly' || !values['agree-tos'] || !values.email?.includes('@')) throw new Error('certbot')

const path = '/.well-known/acme-challenge/token'
// The plugin for nginx changes its configuration for the challenge. Here it is enough that nginx answers.
const server = values.standalone ? createServer((req, res) => res.end(`answer to ${req.url}`)) : undefined
if (server) {
  await new Promise((resolve) => server.listen(Number(values['http-01-port']), values['http-01-address'], resolve))
}
const answer = await (await fetch(`http://${values.domain}${path}`, { redirect: 'manual' })).text()
if (server && answer !== `answer to ${path}`) throw new Error(`The challenge was answered with: ${answer}`)
server?.close()

const [authority, live] = ['/etc/test-authority', `/etc/letsencrypt/live/${values.domain}`]
for (const folder of [authority, live]) mkdirSync(folder, { recursive: true })
const make = ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-x509']
const openssl = (...args) => execFileSync('openssl', [...make, ...args], { stdio: 'pipe' })
const [ca, key] = [`${authority}/ca.pem`, `${authority}/key.pem`]
if (!existsSync(ca)) {
  openssl('-subj', '/CN=authority', '-keyout', key, '-out', ca)
  mkdirSync('/etc/ssl/certs', { recursive: true })
  appendFileSync('/etc/ssl/certs/ca-certificates.crt', execFileSync('cat', [ca]))
}
const names = ['-subj', `/CN=${values.domain}`, '-addext', `subjectAltName=DNS:${values.domain}`]
openssl('-CA', ca, '-CAkey', key, ...names, '-keyout', `${live}/privkey.pem`, '-out', `${live}/fullchain.pem`)
execSync(values['deploy-hook'], { stdio: 'inherit' })
