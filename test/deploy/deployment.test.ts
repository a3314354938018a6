/**
 * The files in deploy/ and the Dockerfile: their syntax, what they trust, what
 * they publish, and what a container may do.
 */
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
// @ts-expect-error A script, without types.
import { installPackages } from '../../scripts/clone/packages.mjs'
import { parseConfig } from '../../src/config/config.js'
import { findProgram } from '../../src/dev/debian-package.mjs'
import { findRedis } from '../../src/dev/find-redis.js'
import { freePort } from '../../src/dev/ports.js'
import { root } from '../../src/dev/root.js'
import { findHaproxy } from '../setup/proxies/proxies.js'

installPackages('test/deploy')
const { DCLinter } = await import('dclint')
const { validate } = await import('dockerfile-utils')

const readDeployFile = (name: string): string => readFileSync(join(root, 'deploy', name), 'utf8')

const required = {
  DATABASE_URL: 'postgres://a@b/c',
  REDIS_URL: 'redis://a',
  SECRET_KEY: randomBytes(32).toString('hex'),
}

const version = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).version

const Service = z.looseObject({
  image: z.string(),
  user: z.string().optional(),
  cap_drop: z.array(z.string()),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()),
  read_only: z.boolean(),
  mem_limit: z.string(),
  cpus: z.number(),
  pids_limit: z.number(),
  environment: z.record(z.string(), z.string()).default({}),
  command: z.array(z.string()).optional(),
  ports: z.array(z.string()).default([]),
})

/** The part of the linter's answer that is used: its own types cannot be resolved. */
interface Linted {
  messages: { type: string; message: string }[]
}

const readCompose = () =>
  z
    .looseObject({ services: z.record(z.string(), Service) })
    .parse(parse(readDeployFile('compose.yaml'), { merge: true })).services

const Container = z.looseObject({
  image: z.string(),
  resources: z.object({ requests: z.looseObject({}), limits: z.object({ cpu: z.string(), memory: z.string() }) }),
  securityContext: z.looseObject({}),
  livenessProbe: z.looseObject({}).optional(),
  readinessProbe: z.looseObject({}).optional(),
  startupProbe: z.looseObject({}).optional(),
})

const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
})

const Workload = z.looseObject({
  spec: z.looseObject({
    template: z.looseObject({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }).loose(),
      spec: z.looseObject({
        automountServiceAccountToken: z.boolean(),
        securityContext: z.looseObject({}),
        containers: z.array(Container),
      }),
    }),
  }),
})

const Policy = z.looseObject({
  spec: z.looseObject({
    podSelector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    policyTypes: z.array(z.string()),
    ingress: z
      .array(z.looseObject({ from: z.array(z.looseObject({})).min(1), ports: z.array(z.looseObject({})).min(1) }))
      .default([]),
  }),
})

const manifestFiles = readdirSync(join(root, 'deploy/kubernetes'))
const readManifests = (name: string) =>
  parseAllDocuments(readDeployFile(`kubernetes/${name}`), { merge: true }).map((document) =>
    Manifest.parse(document.toJS()),
  )
const manifests = manifestFiles.flatMap(readManifests)
const workloads = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job')

/** A release, not a moving tag such as `latest` or `7`. */
const pinned = /^[\w./-]+:\d+\.\d+(\.\d+)?(-[\w-]+)?$/

describe('The files', () => {
  test.each(manifestFiles)('%s follows the schemas of Kubernetes.', async (name) => {
    for (const manifest of readManifests(name)) {
      const specifier = `kubernetes-models/${manifest.apiVersion}/${manifest.kind}`
      const models = await import(/* @vite-ignore */ specifier)
      const Model = models[manifest.kind]
      expect(() => new Model(manifest).validate(), manifest.metadata.name).not.toThrow()
    }
  })

  test('compose.yaml follows its schema and has no fault that a linter finds.', () => {
    // The load balancer serves the public, on all addresses.
    const rules = { 'no-unbound-port-interfaces': 0 as const }
    const linter = new DCLinter({ rules, quiet: true, debug: false, exclude: [] })
    const results: Linted[] = linter.lintFiles([join(root, 'deploy/compose.yaml')], false)
    expect(results.length).toBe(1)
    expect(results.flatMap(({ messages }) => messages.filter(({ type }) => type === 'error'))).toEqual([])
  })

  test('The Dockerfile has no fault that a linter finds.', () => {
    expect(validate(readFileSync(join(root, 'Dockerfile'), 'utf8')).map(({ message }) => message)).toEqual([])
  })

  test.for(['haproxy.cfg', 'haproxy-host.cfg'])('HAProxy accepts %s.', (name, context) => {
    const program = findHaproxy()
    if (program === undefined) return context.skip('HAProxy is neither installed nor in the package archive')
    const folder = mkdtempSync(join(tmpdir(), 'parley-haproxy-cfg-'))
    // HAProxy resolves names at its start, but not those of `server-template` with init-addr none.
    const file = join(folder, 'haproxy.cfg')
    const text = readDeployFile(name)
      .replace(/\/\S*\/cells\.map/, join(root, 'deploy/cells.map'))
      // The account and the certificate of a machine on which it is installed.
      .replace(/^ {2}(user|group) haproxy\n/gm, '')
      .replace(/ ssl crt \S+ alpn \S+/g, '')
    writeFileSync(file, text)
    const checked = spawnSync(program.command, ['-c', '-f', file], { env: program.env, encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    expect([checked.status, checked.stderr]).toEqual([0, ''])
  })

  test('haproxy-host.cfg differs from haproxy.cfg in names, addresses and TLS only.', () => {
    const readLines = (name: string) =>
      readDeployFile(name)
        .replace(/\/\S*\/cells\.map/, 'cells.map')
        .split('\n')
        .filter((line) => line.trim() !== '' && !line.trim().startsWith('#'))
    const [docker, host] = [readLines('haproxy.cfg'), readLines('haproxy-host.cfg')]
    expect(docker.filter((line) => !host.includes(line))).toEqual([
      '  maxconn 40000',
      'resolvers docker',
      '  nameserver dns 127.0.0.11:53',
      '  hold valid 2s',
      '  bind :9991',
      '  server-template gateway 10 gateway:9991 resolvers docker init-addr none',
    ])
    expect(host.filter((line) => !docker.includes(line)).map((line) => line.trim().split(' ')[0])).toEqual([
      ...['fd-hard-limit', 'user', 'group', 'log', 'stats', 'ssl-default-bind-options', 'log'],
      ...['bind', 'bind', 'bind', 'bind', 'acl', 'http-request', 'use_backend'],
      ...['server', 'server', 'backend', 'server'],
    ])
  })

  test('systemd finds no fault in the units.', (context) => {
    const analyze = findProgram({ path: process.env.PATH ?? '' }, 'systemd-analyze')
    if (analyze === undefined) return context.skip('this machine has no systemd-analyze')
    const folder = mkdtempSync(join(tmpdir(), 'parley-units-'))
    for (const name of readdirSync(join(root, 'deploy/systemd'))) {
      // It looks for the folder, which is elsewhere here.
      const text = readDeployFile(`systemd/${name}`).replaceAll('/opt/parley', root)
      writeFileSync(join(folder, name), text)
    }
    const units = ['parley-migrate.service', 'parley-gateway@9991.service', 'parley-worker.service']
    const checked = spawnSync(analyze, ['verify', '--man=no', ...units.map((name) => join(folder, name))], {
      encoding: 'utf8',
    })
    rmSync(folder, { recursive: true })
    const findings = checked.stderr.split('\n').filter((line) => line.includes('parley'))
    expect([checked.status, findings]).toEqual([0, []])
  })
})

describe('What they trust', () => {
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

  test('The Redis of the compose file answers nobody without its password, and its clients have it.', async () => {
    const { redis, ...others } = readCompose()
    const password = randomBytes(16).toString('hex')
    const fill = (text: string) => text.replace(/\$\{REDIS_PASSWORD:\?[^}]*\}/, password)
    const [, ...given] = redis?.command ?? []
    const port = await freePort()
    const folder = mkdtempSync(join(tmpdir(), 'parley-redis-'))
    const { command, env } = findRedis({
      path: process.env.PATH ?? '',
      cache: join(root, 'node_modules/.cache/parley-redis'),
      tell: () => {},
    })
    const server = spawn(command, [...given.map(fill), '--port', String(port), '--dir', folder], {
      env,
      stdio: 'ignore',
    })
    try {
      const connect = (url: string) =>
        new Redis(url, { retryStrategy: (attempt) => Math.min(50 * attempt, 200) }).on('error', () => {})
      const stranger = connect(`redis://127.0.0.1:${port}`)
      await expect(stranger.ping()).rejects.toThrow(/NOAUTH/)
      stranger.disconnect()
      for (const name of ['gateway', 'worker', 'migrate']) {
        const url = fill(others[name]?.environment.REDIS_URL ?? '').replace('@redis:6379', `@127.0.0.1:${port}`)
        const client = connect(url)
        expect(await client.ping(), name).toBe('PONG')
        client.disconnect()
      }
    } finally {
      server.kill('SIGKILL')
      await once(server, 'exit')
      rmSync(folder, { recursive: true })
    }
  })
})

/** The Dockerfile and all files in deploy/. */
const listFiles = () => {
  const files = readdirSync(join(root, 'deploy'), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  return [join(root, 'Dockerfile'), ...files]
}

test('No file starts a process with source maps, which stop it at its first logged error.', () => {
  for (const file of listFiles()) expect(readFileSync(file, 'utf8'), file).not.toContain('source-maps')
})

test('Every file that starts a gateway gives it the same options of Node.', () => {
  const options = listFiles().flatMap((file) => {
    const commands = readFileSync(file, 'utf8').matchAll(/node\b["', ]+(--[^\n]*?)["', ]+dist\/gateway\.js/g)
    return [...commands].map(([, given = '']) => given.split(/["', ]+/).join(' '))
  })
  expect(options).toHaveLength(5)
  expect(new Set(options)).toEqual(new Set(['--max-semi-space-size=32']))
})

test('No file in deploy/ publishes or routes the port for operators.', () => {
  expect(Object.values(readCompose()).flatMap(({ ports }) => ports)).toEqual(['9991:9991'])
  expect(readDeployFile('haproxy.cfg')).not.toContain('9990')
  for (const name of ['gateway', 'worker']) {
    const text = readDeployFile(`kubernetes/${name}.yaml`)
    expect(text, name).toContain('prometheus.io/port: "9990"')
    expect(text, name).not.toMatch(/targetPort: operations/)
  }
})

describe('What a container may do', () => {
  test('No container of the compose file has a capability that it does not need, a root that it can write, or no limits.', () => {
    const services = readCompose()
    expect(Object.keys(services)).toEqual(['load-balancer', 'gateway', 'worker', 'migrate', 'postgres', 'redis'])
    for (const [name, service] of Object.entries(services)) {
      expect([service.cap_drop, service.security_opt, service.read_only], name).toEqual([
        ['ALL'],
        ['no-new-privileges:true'],
        true,
      ])
      // Postgres begins as root and becomes its own user.
      const needed = name === 'postgres' ? ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'] : []
      expect(service.cap_add, name).toEqual(needed)
      expect(service.image, name).toMatch(pinned)
    }
    expect(services.gateway?.image).toBe(`parley:${version}`)
  })

  test.each(workloads.map((manifest) => [manifest.metadata.name, manifest] as const))(
    'On Kubernetes, %s meets the restricted Pod Security Standard, and has limits, probes and a policy of its own.',
    (name, manifest) => {
      const { metadata, spec } = Workload.parse(manifest).spec.template
      expect(spec.automountServiceAccountToken).toBe(false)
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      expect(spec.containers).toHaveLength(1)
      for (const container of spec.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(container.image).toMatch(pinned)
        expect(container.image.endsWith(`:${version}`)).toBe(true)
        const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe]
        const hasProbes = probes.map((probe) => probe !== undefined)
        expect(hasProbes).toEqual(manifest.kind === 'Job' ? [false, false, false] : [true, true, true])
      }
      const policies = manifests
        .filter(({ kind }) => kind === 'NetworkPolicy')
        .map((policy) => Policy.parse(policy).spec)
        .filter(({ podSelector }) =>
          Object.entries(podSelector.matchLabels).every(([label, value]) => metadata.labels[label] === value),
        )
      expect(policies, name).toHaveLength(1)
      expect(policies[0]?.policyTypes).toEqual(['Ingress', 'Egress'])
    },
  )

  test('No container reaches the metadata service of a cloud.', () => {
    for (const { kind, metadata, ...policy } of manifests) {
      if (kind !== 'NetworkPolicy') continue
      const blocks = [...JSON.stringify(policy).matchAll(/"cidr":"0\.0\.0\.0\/0"(,"except":\[[^\]]*\])?/g)]
      expect(blocks.length, metadata.name).toBeGreaterThan(0)
      for (const [, except] of blocks) expect(except, metadata.name).toContain('"169.254.0.0/16"')
    }
  })
})
