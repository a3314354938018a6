/** What the product is made of: its bill of materials, where packages and images come from, and what they may run. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
// @ts-expect-error A script, without types.
import { composeSbom } from '../../scripts/sbom.mjs'
// @ts-expect-error A script, without types.
import { judge } from '../../scripts/supply-chain.mjs'
import { root } from '../../src/dev/root.js'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      version: z.string().optional(),
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      link: z.boolean().optional(),
    }),
  ),
})

const Sbom = z.object({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.object({ component: z.object({ name: z.literal('parley'), version: z.string() }) }),
  components: z.array(
    z.looseObject({
      type: z.string(),
      name: z.string(),
      version: z.string().optional(),
      purl: z.string().optional(),
      hashes: z.array(z.object({ alg: z.string(), content: z.string() })).optional(),
    }),
  ),
})

const lockFiles = [
  'package-lock.json',
  ...['bench', 'scripts/check', 'scripts/runtime', 'test', 'test/deploy', 'test/fuzz/parsers'].map(
    (folder) => `${folder}/package-lock.json`,
  ),
]

test('The bill of materials names each package of the product, with the hash of package-lock.json, and nothing else.', () => {
  const { components } = Sbom.parse(composeSbom())
  const listed = components
    .filter(({ type, hashes }) => type === 'library' && hashes !== undefined)
    .map(({ hashes = [] }) => `${hashes[0]?.alg} ${Buffer.from(hashes[0]?.content ?? '', 'hex').toString('base64')}`)
  const { packages } = Lock.parse(JSON.parse(read('package-lock.json')))
  const needed = Object.values(packages)
    .filter(({ integrity, dev, devOptional }) => integrity !== undefined && dev !== true && devOptional !== true)
    .map(({ integrity = '' }) => `SHA-512 ${integrity.replace('sha512-', '')}`)
  expect(new Set(listed)).toEqual(new Set(needed))
  const files = components.filter(({ type }) => type === 'file')
  expect(files.map(({ name, hashes }) => `${hashes?.[0]?.content}  ${name.split('/').at(-1)}`)).toEqual(
    read('scripts/uwebsockets.sha256').trim().split('\n'),
  )
  expect(composeSbom()).toEqual(composeSbom())
}, 30_000)

test.each(lockFiles)('Every package of %s has a hash, and comes from the registry.', (file) => {
  for (const [name, one] of Object.entries(Lock.parse(JSON.parse(read(file))).packages)) {
    if (name === '' || one.link === true || !name.includes('node_modules/')) continue
    expect([name, one.integrity], file).toEqual([name, expect.stringMatching(/^sha512-/)])
    expect(one.resolved ?? 'https://registry.npmjs.org/', name).toMatch(/^https:\/\/registry\.npmjs\.org\//)
  }
})

test('No package runs a script when it is installed, and ours have none.', () => {
  const programs = [
    ...readdirSync(join(root, 'scripts'))
      .filter((name) => name.endsWith('.mjs'))
      .map((name) => `scripts/${name}`),
    ...['Dockerfile', '.ci/run', 'src/dev/debian-package.mjs'],
  ]
  for (const file of programs) {
    for (const line of read(file).split('\n')) {
      if (/\bnpm (?:ci|install|i)\b/.test(line) && /^\s*(?:RUN|npm)/.test(line))
        expect([file, line]).toEqual([file, expect.stringContaining('--ignore-scripts')])
    }
  }
  expect(read('scripts/clone/npm.mjs')).toContain("const quiet = ['--ignore-scripts'")
  expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m)
  const lifecycle = /^(?:pre|post)?(?:install|prepare|publish|pack)$/
  for (const file of ['package.json', 'client/package.json', 'web/package.json']) {
    const { scripts = {} } = JSON.parse(read(file)) as { scripts?: object }
    expect(
      Object.keys(scripts).filter((name) => lifecycle.test(name)),
      file,
    ).toEqual([])
  }
})

/** An exact version, or a digest. */
const pinned = /@sha256:[0-9a-f]{64}$|:v?\d+\.\d+(?:\.\d+)?(?:-[\w.-]+)?$/

test('Every image has a digest or an exact version, and so has every action of a workflow.', () => {
  const images: string[] = [...read('Dockerfile').matchAll(/^ARG NODE_IMAGE=(\S+)$/gm)].map(([, name = '']) => name)
  for (const file of [
    'compose.yaml',
    ...readdirSync(join(root, 'deploy/kubernetes')).map((name) => `kubernetes/${name}`),
  ]) {
    for (const document of parseAllDocuments(read(`deploy/${file}`)))
      images.push(...[...JSON.stringify(document.toJS({})).matchAll(/"image":"([^"]+)"/g)].map(([, name = '']) => name))
  }
  expect(images.length).toBeGreaterThan(6)
  expect(images.filter((image) => !pinned.test(image))).toEqual([])
  const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, name = '']) => name)
  expect(bases.filter((name) => !['base', '$' + '{NODE_IMAGE}'].includes(name))).toEqual([])

  const workflows = ['.github/workflows', '.gitea/workflows', '.forgejo/workflows'].flatMap((folder) => {
    try {
      return readdirSync(join(root, folder)).map((name) => read(`${folder}/${name}`))
    } catch {
      return []
    }
  })
  const actions = workflows.flatMap((text) => [...text.matchAll(/uses:\s*(\S+)/g)].map(([, name = '']) => name))
  expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([])
})

test('A check of the registry passes, fails, or is skipped where the registry does not serve it.', () => {
  const cases: [number, string, string][] = [
    [0, 'audited 412 packages in 4s\n\n412 packages have verified registry signatures', 'passed'],
    [0, 'found 0 vulnerabilities', 'passed'],
    [0, '2 low severity vulnerabilities', 'passed'],
    [1, '1 package has an invalid registry signature:\n\nleft-pad@1.0.0 (https://registry.example/)', 'failed'],
    [1, '1 package has a missing registry signature but the registry is providing signing keys', 'failed'],
    [1, 'a network library  <=1.0\nSeverity: high\nAnswers 404\n1 high severity vulnerability', 'failed'],
    [1, 'npm error code ENOTFOUND\nnpm error network request to https://tuf.example failed', 'skipped'],
    [1, 'npm warn audit 405 Method Not Allowed\nnpm error audit endpoint returned an error', 'skipped'],
    [1, 'npm error found no dependencies to audit that were installed from a supported registry', 'skipped'],
    [1, 'TypeError: x is not a function', 'failed'],
    [0, '', 'failed'],
  ]
  for (const [status, output, expected] of cases)
    expect([output, judge({ status, output })]).toEqual([output, expected])
})
