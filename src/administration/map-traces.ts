/**
 * Names the sources in stack traces of the compiled program, after the fact and in another process.
 *
 * Processes run without --enable-source-maps: with it, Node parses the maps of all modules at the first stack trace,
 * which stops a gateway for a second and keeps hundreds of megabytes for as long as it lives.
 */
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** A place in a file of dist/: as an address or as a path, on this machine or on another one. */
const POSITION = /(?:file:\/\/)?[^\s()"'\\]*\/dist\/((?:[\w.-]+\/)*[\w.-]+\.js):(\d+):(\d+)/g

/**
 * Creates a function that replaces the places in a text by those in the sources. The text has places in compiled files,
 * and the result has `src/gateway/main.ts:96:15`. A place of which there is no map stays.
 * @param dist the folder of the compiled program that wrote the trace
 */
export const openTraceMap = (dist: string): ((text: string) => string) => {
  const maps = new Map<string, SourceMap | undefined>()
  const findMap = (file: string): SourceMap | undefined => {
    if (!maps.has(file)) maps.set(file, readMap(resolve(dist, `${file}.map`)))
    return maps.get(file)
  }
  return (text) =>
    text.replaceAll(POSITION, (position: string, file: string, line: string, column: string) => {
      const entry = findMap(file)?.findEntry(Number(line) - 1, Number(column) - 1)
      if (entry === undefined || !('originalSource' in entry)) return position
      // A source is named from the folder of its map.
      const source = fileURLToPath(new URL(entry.originalSource, pathToFileURL(resolve(dist, file))))
      return `${relative(resolve(dist, '..'), source)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
    })
}

const readMap = (path: string): SourceMap | undefined => {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}
