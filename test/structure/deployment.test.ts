/** The files in deploy/: what they trust, and what they publish. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parseConfig } from '../../src/config/config.js'

const readDeployFile = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url)), 'utf8')

const required = {
  DATABASE_URL: 'postgres://a@b/c',
  REDIS_URL: 'redis://a',
  SECRET_KEY: randomBytes(32).toString('hex'),
}

test('The gateways of the compose file trust the load balancer only, by its fixed address.', () => {
  const text = readDeployFile('compose.yaml')
  const trusted = /TRUSTED_PROXIES: \$\{TRUSTED_PROXIES:-(.*)\}/.exec(text)?.[1]
  const [, service] = /\n {2}load-balancer:\n((?: {4}.*\n)+)/.exec(text) ?? []
  expect(service).toContain(`ipv4_address: ${trusted}\n`)
  expect(trusted).toMatch(/^\d+\.\d+\.\d+\.\d+$/)
})

test('A gateway does not start on Kubernetes until the operator has said which proxies are trusted.', () => {
  const [, value = ''] = /\n {2}TRUSTED_PROXIES: (.*)\n/.exec(readDeployFile('kubernetes/configuration.yaml')) ?? []
  expect(value).not.toBe('')
  expect(() => parseConfig({ ...required, TRUSTED_PROXIES: value })).toThrow('TRUSTED_PROXIES')
})

test('No file in deploy/ publishes or routes the port for operators.', () => {
  expect(readDeployFile('compose.yaml')).not.toMatch(/- "?[\d.:]*9990/)
  expect(readDeployFile('haproxy.cfg')).not.toContain('9990')
  for (const name of ['gateway', 'worker']) {
    const text = readDeployFile(`kubernetes/${name}.yaml`)
    expect(text, name).toContain('prometheus.io/port: "9990"')
    expect(text, name).not.toMatch(/targetPort: operations/)
    expect(text, name).toMatch(/kind: NetworkPolicy/)
  }
})
