/**
 * How the web client is built: one page, and files with hashed names that browsers keep for ever.
 *
 * Nothing is inlined, because the policy of the page allows no inline script and no inline style. `npx vite web` serves
 * the sources with hot reload, and takes the API from the gateway that `npm start` started.
 */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const clientSource = (path: string) => fileURLToPath(new URL(`../client/src/${path}`, import.meta.url))

const gateway = 'http://127.0.0.1:9991'
const gatewayPaths = [
  '/api',
  '/accounts',
  '/avatar',
  '/user_uploads',
  '/user_avatars',
  '/thumbnail',
  '/static',
  '/join',
]

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  resolve: {
    alias: [
      { find: /^@parley\/client$/, replacement: clientSource('index.ts') },
      { find: /^@parley\/client\/realm$/, replacement: clientSource('realm/index.ts') },
    ],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('../dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: Object.fromEntries(gatewayPaths.map((path) => [path, { target: gateway, ws: true }])) },
})
