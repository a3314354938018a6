/** The files of all packages of the repository, and what their sources import. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { root } from '../../src/dev/root.js'

/** Whether builds, installations or tools write a folder. */
const isWritten = (path: string): boolean => /(^|\/)(node_modules|dist([.-].*)?|\.[^/]*)$|^release$/.test(path)

const listBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (entry.isFile()) return [path]
    return entry.isDirectory() && !isWritten(path) ? listBelow(path) : []
  })

/** All files that are not written by a program. Paths are relative to the root of the repository. */
export const files: readonly string[] = listBelow('')

/** The files with program text. */
export const sources: readonly string[] = files.filter((file) => /\.([cm]?[jt]s|tsx)$/.test(file))

/** Reads a file of the repository. */
export const readText = (file: string): string => readFileSync(join(root, file), 'utf8')

/** An import of one file in another one. */
export interface Import {
  file: string
  imported: string
}

const known = new Set(files)

/** The file that an import names: `.js` stands for TypeScript, too. */
const resolveFile = (path: string): string =>
  [path, path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')].find((file) => known.has(file)) ?? path

/** The packages of the repository that others import by name. */
const named: Readonly<Record<string, string>> = {
  '@parley/client': 'client/src/index.ts',
  '@parley/client/realm': 'client/src/realm/index.ts',
}

/** All packages import the rules by names that begin with `#rules/`. */
const findRules = (specifier: string): string | undefined =>
  specifier.startsWith('#rules/') ? resolveFile(`rules/src/${specifier.slice('#rules/'.length)}`) : undefined

/**
 * Finds the imports of other files of the repository in a source. Imports of types, styles and pictures are among them.
 */
export const findImports = (file: string, text: string): Import[] =>
  [...text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].flatMap(([, specifier = '']) => {
    const isRelative = specifier.startsWith('.')
    const imported = isRelative
      ? resolveFile(posix.join(dirname(file), specifier))
      : (named[specifier] ?? findRules(specifier))
    return imported === undefined ? [] : [{ file, imported }]
  })

/** The imports of all packages. */
export const imports: readonly Import[] = sources.flatMap((file) => findImports(file, readText(file)))
