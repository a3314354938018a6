/** Certificates of an authority of the test's own, for servers on this machine. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

let count = 0

/** A certificate for 127.0.0.1 and localhost, its key, and the authority of both. */
export const makeCertificates = () => {
  const folder = join(inject('log_folder'), `certificates-of-test-${process.pid}-${++count}`)
  mkdirSync(folder, { recursive: true })
  const openssl = (...given: string[]) => execFileSync('openssl', given, { cwd: folder, stdio: 'pipe' })
  const make = ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const names = ['-subj', '/CN=server', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
  openssl(...make, '-x509', '-subj', '/CN=authority', '-keyout', 'ca.key', '-out', 'ca.pem')
  openssl(...make, '-x509', '-CA', 'ca.pem', '-CAkey', 'ca.key', ...names, '-keyout', 'key.pem', '-out', 'cert.pem')
  const [ca, cert, key] = ['ca.pem', 'cert.pem', 'key.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  return { ca, cert, key }
}
