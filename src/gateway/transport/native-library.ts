/** uWebSockets, the HTTP and WebSocket server in native code. Only this file loads it. */
import { createRequire } from 'node:module'

/**
 * The bytes that the request line and the headers of a request have at most; beyond it the answer is 431. The library
 * takes 4 KiB by default, which long narrows, cookies and the headers of proxies exceed. Each connection whose head is
 * not complete yet can hold as much memory. Node and most proxies have the same limit.
 */
const MAX_HEAD_BYTES = 16 * 1024

export type NativeLibrary = typeof import('uWebSockets.js')

/**
 * Loads the library. It has one binary per system, processor and version of Node.
 *
 * Some packages of the library fall back to a server in JavaScript where they have no binary. That server parses
 * requests in another way, and nothing here was tested with it, so it is refused.
 * Throws an Error that says what to do, where it has no binary, or where its binary does not load.
 */
export const loadNativeLibrary = (load: (name: string) => unknown = createRequire(import.meta.url)): NativeLibrary => {
  // The library reads this variable once, when it is loaded.
  process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= String(MAX_HEAD_BYTES)
  try {
    const library = load('uWebSockets.js') as NativeLibrary
    if (!isNative(library.App)) throw new Error('The package has loaded a server that is not native code.')
    return library
  } catch (cause) {
    // The library names the file that is missing, or the loader the version of the C library that it needs.
    const reason = cause instanceof Error ? (cause.message.trim().split('\n').at(-1) ?? '') : String(cause)
    throw new Error(
      `uWebSockets.js does not load on ${process.platform}-${process.arch} with Node ${process.versions.node}. ` +
        'Run Parley with Node 24 or 22 on Linux with glibc 2.38 or newer (Debian 13, Ubuntu 24.04), on macOS or ' +
        `Windows, or install another build of uWebSockets.js (SECURITY.md). ${reason}`,
    )
  }
}

const isNative = (value: unknown): boolean =>
  typeof value === 'function' && /\{\s*\[native code\]\s*\}$/.test(Function.prototype.toString.call(value))
