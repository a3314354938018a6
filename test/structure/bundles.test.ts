/** Each program of dist/ is a few files, which Node loads in half the time of a thousand modules. */
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../src/dev/root.js'

const dist = join(root, 'dist')

const native = ['uWebSockets.js', '@node-rs/argon2']

const importStatement = /^(?:import|export)\b[^'"\n]*?["']([^"'\n]+)["'];?$/gm

/** All that the files of a program import at its start, except each other. */
const importsOfProgram = (entry: string): Set<string> => {
  const outside = new Set<string>()
  const files = [entry]
  for (const file of files) {
    const text = readFileSync(join(dist, file), 'utf8')
    for (const [, target = ''] of text.matchAll(importStatement)) {
      if (!target.startsWith('./')) outside.add(target)
      else if (!files.includes(target.slice(2))) files.push(target.slice(2))
    }
  }
  expect(files.every((file) => file === entry || file.startsWith('part-'))).toBe(true)
  return outside
}

test.each(['gateway.js', 'worker.js', 'cli.js'])('%s loads nothing but its own files and native packages.', (entry) => {
  const packages = [...importsOfProgram(entry)].filter((name) => !isBuiltin(name))
  expect(packages.filter((name) => !native.includes(name))).toEqual([])
})
