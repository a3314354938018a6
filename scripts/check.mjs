/**
 * Checks format, lint rules and types of a clone.
 *
 *   npm run check
 *   npm run format      corrects format and lint rules instead
 *
 * The exit code is 0 if nothing is wrong. It stops at the first tool that finds something.
 */
import { spawnSync } from 'node:child_process'
import { installPackages } from './clone/packages.mjs'
import { prepareTools, root } from './prepare.mjs'

await prepareTools()
// The type check needs the types of all packages that tests and benchmarks import.
for (const folder of ['scripts/check', 'test', 'test/deploy', 'bench']) installPackages(folder)
const biome = 'scripts/check/node_modules/@biomejs/biome/bin/biome'
const tsc = 'node_modules/typescript/bin/tsc'
const commands = process.argv.includes('--write')
  ? [[biome, 'check', '--write', '.']]
  : [
      [biome, 'check', '--error-on-warnings', '.'],
      [tsc, '-p', 'tsconfig.check.json'],
      [tsc, '-p', 'rules', '--noEmit'],
      [tsc, '-p', 'client', '--noEmit'],
      [tsc, '-p', 'web'],
      [tsc, '-p', 'console'],
    ]
for (const command of commands) {
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
