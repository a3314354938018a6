/**
 * The chart in deploy/helm/: Helm finds no fault in it, with its own values it is the same as deploy/kubernetes/, and
 * every rendering follows the schemas of Kubernetes.
 *
 * The linter and the templates are those of Helm, in a program of ours (helm/main.go): that compiles in half of the
 * time of Helm's own. Without Go, or without its registry, these tests are skipped.
 */
import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
// @ts-expect-error A script, without types.
import { installPackages } from '../../scripts/clone/packages.mjs'
import { root } from '../../src/dev/root.js'

const chart = join(root, 'deploy/helm/parley')
const program = join(root, 'node_modules/.cache/parley-go/render-chart')

const Results = z.array(
  z.object({
    warnings: z.array(z.string()),
    templates: z.record(z.string(), z.string()).nullable(),
    error: z.string(),
  }),
)

const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
})
type Manifest = z.infer<typeof Manifest>

/** A part of a manifest, in which the tests look up any path. */
interface Tree {
  [name: string]: Tree
}

/** Compiles the program. @returns why it cannot be compiled here; undefined when it was */
const findObstacle = async (): Promise<string | undefined> => {
  const env = { ...process.env, GOTOOLCHAIN: 'local' }
  // Two minutes of computing on a machine that has never compiled it, in which the process must answer Vitest.
  const options = { cwd: join(import.meta.dirname, 'helm'), env, timeout: 600_000 }
  return promisify(execFile)('go', ['build', '-o', program, '.'], options).then(
    () => undefined,
    (error: Error) => error.message.trim().split('\n').at(-1),
  )
}

/** Every option in another form than that of values.yaml. */
const changed = {
  image: { repository: 'registry.test/parley', digest: `sha256:${'0'.repeat(64)}`, pullSecrets: ['registry'] },
  secretName: 'chat-secrets',
  config: { MAX_FILE_UPLOAD_SIZE_MIB: 50, TRUSTED_PROXIES: '10.0.0.0/24' },
  env: [{ name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name: 'postgres-app', key: 'uri' } } }],
  extraVolumes: [{ name: 'certificates', secret: { secretName: 'certificates' } }],
  extraVolumeMounts: [{ name: 'certificates', mountPath: '/certificates', readOnly: true }],
  serviceAccount: { create: true, annotations: { 'iam.test/role': 'bucket' } },
  labels: { team: 'chat' },
  gateway: {
    autoscaling: { enabled: false },
    replicas: 2,
    podDisruptionBudget: { maxUnavailable: '50%' },
    podAnnotations: { note: 'a gateway' },
    nodeSelector: { pool: 'chat' },
    tolerations: [{ key: 'chat', operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
    priorityClassName: 'high',
  },
  worker: {
    podDisruptionBudget: { enabled: true },
    nodeSelector: { pool: 'jobs' },
    podAnnotations: { note: 'a worker' },
  },
  service: { type: 'LoadBalancer', port: 8080, annotations: { 'lb.test/name': 'chat' } },
  ingress: { className: '', hosts: ['a.test', 'b.test'], tlsSecretName: '', annotations: null },
  networkPolicy: { services: [{ cidr: '10.1.0.0/16' }, { cidr: 'fd00::/8' }], privateBucket: true, postgresPort: 6432 },
}

const renderings = {
  'its own values': { release: 'parley', values: {} },
  'other values': { release: 'chat', values: changed },
  'every part turned off': {
    release: 'team-parley',
    values: {
      gateway: { autoscaling: { enabled: false }, podDisruptionBudget: { enabled: false } },
      migrate: { enabled: false },
      ingress: { enabled: false },
      networkPolicy: { enabled: false },
    },
  },
}

const refused: [string, object, RegExp][] = [
  [
    'a misspelt name',
    { gateway: { autoscling: { enabled: false } } },
    /additional properties 'autoscling' not allowed/,
  ],
  ['a secret among the variables', { config: { SECRET_KEY: 'x' } }, /config\.SECRET_KEY is a secret/],
  ['a port that the probes do not ask', { config: { PORT: 80 } }, /config\.PORT cannot be set/],
  ['no trusted proxies', { config: { TRUSTED_PROXIES: null } }, /TRUSTED_PROXIES/],
  ['a wrong digest', { image: { digest: 'latest' } }, /digest/],
  ['too little time to stop', { gateway: { terminationGracePeriodSeconds: 10 } }, /terminationGracePeriodSeconds/],
]

const obstacle = await findObstacle()
const skipped = obstacle === undefined ? '' : ` (skipped: ${obstacle})`

const results = ((): z.infer<typeof Results> => {
  if (obstacle !== undefined) return []
  const cases = [...Object.values(renderings), ...refused.map(([, values]) => ({ release: 'parley', values }))]
  const { status, stdout, stderr } = spawnSync(program, [chart], { input: JSON.stringify(cases), encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return Results.parse(JSON.parse(stdout))
})()

const readManifests = (text: string): Manifest[] =>
  parseAllDocuments(text, { merge: true })
    .map((document) => document.toJS())
    .filter((value) => value !== null)
    .map((value) => Manifest.parse(value))

const manifestsOf = (name: keyof typeof renderings): Manifest[] => {
  const result = results[Object.keys(renderings).indexOf(name)]
  const files = Object.entries(result?.templates ?? {}).filter(([file]) => file.endsWith('.yaml'))
  return files.flatMap(([, text]) => readManifests(text))
}

const find = (manifests: readonly Manifest[], kind: string, name: string): Tree => {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name)
  if (found === undefined) throw new Error(`There is no ${kind} ${name}.`)
  return found as unknown as Tree
}

const containerOf = (workload: Tree): Tree => workload.spec?.template?.spec?.containers?.[0] as Tree

test('The chart has the version of the server.', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8'))).toMatchObject({ version, appVersion: version })
})

test.skipIf(obstacle !== undefined).each(Object.keys(renderings) as (keyof typeof renderings)[])(
  `With %s, Helm finds no fault in the chart, and each object follows the schemas of Kubernetes.${skipped}`,
  async (name) => {
    const result = results[Object.keys(renderings).indexOf(name)]
    expect([result?.warnings, result?.error]).toEqual([[], ''])
    installPackages('test/deploy')
    for (const manifest of manifestsOf(name)) {
      const specifier = `kubernetes-models/${manifest.apiVersion}/${manifest.kind}`
      const models = await import(/* @vite-ignore */ specifier)
      const Model = models[manifest.kind]
      expect(() => new Model(manifest).validate(), `${manifest.kind} ${manifest.metadata.name}`).not.toThrow()
    }
  },
)

test.skipIf(obstacle !== undefined).each(refused)(`Helm refuses %s.${skipped}`, (name, _, message) => {
  const result = results[Object.keys(renderings).length + refused.findIndex(([each]) => each === name)]
  expect(result?.error).toMatch(message)
})

/** Removes what only Helm adds: labels, annotations of hooks, and the hash that starts pods anew. */
const withoutHelm = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutHelm)
  if (typeof value !== 'object' || value === null) return value
  const own = Object.entries(value).filter(
    ([name, inner]) =>
      !/^helm\.sh\/|^app\.kubernetes\.io\/(?:instance|version|managed-by)$|^checksum\/config$|^imagePullPolicy$/.test(
        name,
      ) && !(name === 'annotations' && Object.keys(inner).every((each) => each.startsWith('helm.sh/'))),
  )
  return Object.fromEntries(own.map(([name, inner]) => [name, withoutHelm(inner)]))
}

test.skipIf(obstacle !== undefined)(
  `With its own values, the chart is the same as deploy/kubernetes/.${skipped}`,
  () => {
    const rendered = manifestsOf('its own values')
    const { data } = find(rendered, 'ConfigMap', 'parley')
    const migration = containerOf(find(rendered, 'Job', 'parley-migrate'))
    // The migration runs before the ConfigMap exists, so it has the same variables by itself.
    expect(migration.env).toEqual(Object.entries(data ?? {}).map(([name, value]) => ({ name, value })))
    const { env, envFrom, ...others } = migration
    const fromBoth = { ...others, envFrom: [{ configMapRef: { name: 'parley' } }, ...Object.values(envFrom ?? {})] }
    Object.assign(find(rendered, 'Job', 'parley-migrate').spec?.template?.spec ?? {}, { containers: [fromBoth] })

    const folder = join(root, 'deploy/kubernetes')
    const plain = readdirSync(folder).flatMap((name) => readManifests(readFileSync(join(folder, name), 'utf8')))
    const byName = (manifests: readonly Manifest[]) =>
      Object.fromEntries(manifests.map((each) => [`${each.kind} ${each.metadata.name}`, withoutHelm(each)]))
    const { 'Secret parley': secret, ...expected } = byName(plain)
    expect(secret).toBeDefined()
    expect(byName(rendered)).toEqual(expected)
  },
)

test.skipIf(obstacle !== undefined)(`Other values reach every object that they are for.${skipped}`, () => {
  const rendered = manifestsOf('other values')
  const [gateway, worker, migrate] = [
    find(rendered, 'Deployment', 'chat-parley-gateway'),
    find(rendered, 'Deployment', 'chat-parley-worker'),
    find(rendered, 'Job', 'chat-parley-migrate'),
  ] as [Tree, Tree, Tree]
  const image = `${changed.image.repository}@${changed.image.digest}`
  for (const workload of [gateway, worker, migrate]) {
    expect(containerOf(workload)).toMatchObject({ image, securityContext: { readOnlyRootFilesystem: true } })
    expect(containerOf(workload).env).toEqual(expect.arrayContaining(changed.env))
    expect(containerOf(workload).envFrom).toEqual(expect.arrayContaining([{ secretRef: { name: 'chat-secrets' } }]))
    expect(containerOf(workload).volumeMounts).toEqual(expect.arrayContaining(changed.extraVolumeMounts))
    expect(workload.spec?.template?.spec).toMatchObject({ imagePullSecrets: [{ name: 'registry' }] })
    expect(workload.spec?.template?.metadata?.labels).toMatchObject({ team: 'chat' })
  }
  expect(gateway.spec).toMatchObject({ replicas: 2, template: { spec: { nodeSelector: { pool: 'chat' } } } })
  // The service account is created after the migration.
  const accounts = [gateway, worker, migrate].map((each) => each.spec?.template?.spec?.serviceAccountName)
  expect(accounts).toEqual(['chat-parley', 'chat-parley', undefined])
  const selected = { 'app.kubernetes.io/instance': 'chat', 'app.kubernetes.io/component': 'gateway' }
  expect(find(rendered, 'Service', 'chat-parley').spec).toMatchObject({ type: 'LoadBalancer', selector: selected })
  expect(gateway.spec?.template?.metadata?.labels).toMatchObject(selected)
  const rules = find(rendered, 'Ingress', 'chat-parley').spec?.rules as unknown as { host: string }[]
  expect(rules.map(({ host }) => host)).toEqual(['a.test', 'b.test'])
  expect(JSON.stringify(find(rendered, 'NetworkPolicy', 'chat-parley-worker').spec?.egress)).toContain(
    '[{"ipBlock":{"cidr":"10.1.0.0/16"}},{"ipBlock":{"cidr":"fd00::/8"}}],"ports":[{"port":6432},{"port":6379},{"port":587},{"port":443}]',
  )
})
