/**
 * Which package.json declares the packages that a file imports. The root has those that the build and the product need;
 * a folder that needs more has a package.json of its own (CONTRIBUTING.md, "Packages").
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
// @ts-expect-error A script, without types.
import { isInstalled, isNeeded } from '../../scripts/clone/packages.mjs'
import { root } from '../../src/dev/root.js'

/** Folders with packages of their own, which `npm start` does not install. */
const separate = ['bench', 'scripts/check', 'scripts/runtime', 'test', 'test/deploy', 'test/fuzz/parsers']

/** Packages of the root that no file imports which the build or the product needs. */
const exceptions = {
  typescript: 'the build starts its compiler, which needs @types/node',
  '@types/node': 'see typescript',
  vitest: 'its configuration is in the root, and it shares Vite with the build',
  '@types/ws': 'the types of a package of the root',
}

const Manifest = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
})

const readDeclared = (folder: string): string[] => {
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')))
  return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
}

/** npm installs the packages of the workspaces client/ and web/, and links to both, with those of the root. */
const ofRoot = [...readDeclared('.'), ...readDeclared('client'), ...readDeclared('web'), '@parley/client']

/** The files of a folder and of its subfolders, without those of folders with packages of their own. */
const listFiles = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isFile()) return /\.(m?[jt]s|tsx)$/.test(entry.name) ? [path] : []
    const isSkipped = entry.name === 'node_modules' || entry.name === 'dist' || separate.includes(path)
    return entry.isDirectory() && !isSkipped ? listFiles(path) : []
  })

/** The specifiers of all imports of a source, also of types, and of modules that it loads with `createRequire`. */
const findSpecifiers = (file: string, text: string): string[] => {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    ...dynamicImports.flatMap(
      ({ moduleRequest: { start, end } }) => /^'(.*)'$/.exec(text.slice(start, end))?.[1] ?? [],
    ),
    ...[...text.matchAll(/(?:createRequire\(import\.meta\.url\)|\brequire)(?:\.resolve)?\('(.*?)'\)/g)].map(
      ([, name = '']) => name,
    ),
  ]
}

const readSpecifiers = (file: string): string[] => findSpecifiers(file, readFileSync(join(root, file), 'utf8'))

const readPackages = (file: string): string[] =>
  readSpecifiers(file)
    .filter((name) => !/^[.#]/.test(name) && !isBuiltin(name))
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)

/** These files, and those that they import directly or through others. */
const followImports = (files: readonly string[]): string[] => {
  const found = new Set(files)
  for (const file of found) {
    const imported = readSpecifiers(file).filter((name) => /^\..*\.js$/.test(name))
    for (const name of imported) found.add(join(dirname(file), name.replace(/\.js$/, '.ts')))
  }
  return [...found]
}

const findUndeclared = (files: readonly string[], declared: readonly string[]): string[] =>
  files.flatMap((file) =>
    readPackages(file)
      .filter((name) => !declared.includes(name))
      .map((name) => `${file} imports ${name}`),
  )

test.each([
  "import yaml from 'yaml'",
  "import type { parse } from 'yaml'",
  "import 'yaml'",
  "export { parse } from 'yaml'",
  "const { parse } = await import('yaml')",
  "const yaml = createRequire(import.meta.url)('yaml')",
  "const path = createRequire(import.meta.url).resolve('yaml')",
])('The search for imports finds %j.', (text) => {
  expect(findSpecifiers('a.ts', text)).toEqual(['yaml'])
})

const ofProduct = ['src', 'rules', 'web', 'client', 'reference', 'console', 'scripts'].flatMap(listFiles)

test('The build and the product import packages of the root only.', () => {
  expect(findUndeclared(ofProduct, ofRoot)).toEqual([])
})

test('The build or the product imports every package of the root.', () => {
  const imported = new Set(ofProduct.flatMap(readPackages))
  const isUsed = (name: string) => imported.has(name) || imported.has(name.replace('@types/', ''))
  const unused = ofRoot.filter((name) => !isUsed(name) && !(name in exceptions))
  expect(unused).toEqual([])
})

test.each([
  // Compiled to dist-bench/, from which Node finds the packages of bench/ and of the root, also for files of test/.
  ['bench', followImports(listFiles('bench')), readDeclared('bench')],
  ['test', listFiles('test'), readDeclared('test')],
  ['test/deploy', listFiles('test/deploy'), [...readDeclared('test/deploy'), ...readDeclared('test')]],
])('%s/ imports packages of the root and of its own package.json only.', (_, files, declared) => {
  expect(files.length).toBeGreaterThan(0)
  expect(findUndeclared(files, [...ofRoot, ...declared])).toEqual([])
})

test('No folder declares a package that the root has, or another version than another folder.', () => {
  const Lock = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) })
  const readVersions = (folder: string) => {
    const { packages } = Lock.parse(JSON.parse(readFileSync(join(root, folder, 'package-lock.json'), 'utf8')))
    return readDeclared(folder).map((name) => `${name} ${packages[`node_modules/${name}`]?.version}`)
  }
  const declared = separate.filter((folder) => folder !== 'scripts/runtime').flatMap(readVersions)
  const names = [...new Set(declared)].map((each) => each.split(' ')[0] ?? '')
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  expect(names.filter((name) => ofRoot.includes(name))).toEqual([])
})

const Lock = z.object({ packages: z.record(z.string(), z.looseObject({ optional: z.boolean().optional() })) })

test('A clone counts as installed only with the native parts of its packages for this system.', () => {
  const read = (name: string) => Lock.parse(JSON.parse(readFileSync(join(root, name), 'utf8'))).packages
  const wanted = Object.entries(read('package-lock.json')).filter(([, { optional }]) => optional === true)
  const needed = wanted.filter(([, one]) => isNeeded(one)).map(([name]) => name)
  expect(needed).toContain(`node_modules/@rolldown/binding-${process.platform}-${process.arch}-gnu`)
  const installed = read('node_modules/.package-lock.json')
  expect(needed.filter((name) => installed[name] === undefined)).toEqual([])
  const others = wanted.filter(([name]) => /darwin|win32|musl|wasm/.test(name)).filter(([, one]) => isNeeded(one))
  expect(others).toEqual([])
})

test('A new version of a package needs an installation, and a new version of client/ and web/ needs none.', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-packages-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'node_modules'))
  cpSync(join(root, 'node_modules/.package-lock.json'), join(folder, 'node_modules/.package-lock.json'))
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))
  const isInstalledWith = (changed: readonly string[]) => {
    const others = Object.fromEntries(changed.map((name) => [name, { ...packages[name], version: '99.0.0' }]))
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { ...packages, ...others } }))
    return isInstalled(`${folder}/`)
  }
  expect(isInstalledWith(['', 'client', 'web'])).toBe(true)
  expect(isInstalledWith(['node_modules/zod'])).toBe(false)
})
