/**
 * Writes the bill of materials of the product (CycloneDX, JSON): every package that a gateway or a worker may load,
 * with its version and the hash that package-lock.json fixes, and the files of uWebSockets.js, whose binaries npm
 * cannot see.
 *
 *   node scripts/sbom.mjs [FILE]     to a file, or to the output
 *
 * The build writes it to dist/sbom.cdx.json, so the image has it as /app/dist/sbom.cdx.json. It is the same for the
 * same package-lock.json: it has no time and no serial number.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readFromNpm } from './clone/npm.mjs'
import { root } from './clone/root.mjs'

/** Composes the bill of materials, as an object. Throws if npm cannot. */
export function composeSbom() {
  const format = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only']
  const { status, stdout, stderr } = readFromNpm(['sbom', ...format], root)
  if (status !== 0) throw new Error(`npm could not compose the bill of materials: ${stderr}`)
  const { serialNumber: _, ...sbom } = JSON.parse(stdout)
  const { timestamp: __, component, ...metadata } = sbom.metadata
  // npm's own selection leaves out packages that both the product and the build need.
  const components = sbom.components.filter(isOfProduct(JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'))))
  const refs = new Set([component['bom-ref'], ...components.map((one) => one['bom-ref'])])
  const { name } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  return {
    ...sbom,
    // npm writes the name of the folder.
    metadata: { ...metadata, component: { ...component, name } },
    components: [...components, ...listNativeFiles()],
    dependencies: sbom.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) })),
  }
}

/** Whether a package of the bill is not only for the build. One package can be in several folders. */
const isOfProduct = ({ packages }) => {
  const needed = new Set(
    Object.entries(packages)
      .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
      .map(([path, { version, name }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`),
  )
  return ({ purl }) => needed.has(decodeURIComponent(purl.replace(/^pkg:npm\//, '')))
}

const listNativeFiles = () =>
  readFileSync(new URL('uwebsockets.sha256', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('  '))
    .map(([content, name]) => ({
      'bom-ref': `uWebSockets.js/${name}`,
      type: 'file',
      name: `node_modules/uWebSockets.js/${name}`,
      hashes: [{ alg: 'SHA-256', content }],
    }))

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = `${JSON.stringify(composeSbom(), undefined, 2)}\n`
  if (process.argv[2] === undefined) process.stdout.write(text)
  else writeFileSync(process.argv[2], text)
}
