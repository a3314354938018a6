/**
 * How the web client is built: one page, and files with hashed names that browsers keep for ever.
 *
 * Nothing is inlined, because the policy of the page allows no inline script and no inline style. `npx vite web` serves
 * the sources with hot reload, and takes the API from the gateway that `npm start` started.
 */
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { appIcons } from './app-icons.ts'
import { firstTheme } from './first-theme.ts'

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

/**
 * The font of emoji gets a name of its own, so that a font of the system is used before it. Its digits are a font
 * apart, which only elements that are an emoji use: otherwise browsers take them for the digits of a text with emoji,
 * too.
 */
const emojiFont: Plugin = {
  name: 'emoji-font',
  enforce: 'pre',
  transform(code, id) {
    if (!/noto-color-emoji\/index\.css$/.test(id)) return undefined
    const named = code.replaceAll("'Noto Color Emoji'", "'Parley Emoji'").replaceAll('display: swap', 'display: block')
    const digits = 'U+23, U+2a, U+30-39, '
    const face = named.split('@font-face').find((part) => part.includes(digits))
    if (face === undefined) throw new Error('The style sheet of the emoji font has another form: change emojiFont.')
    const keycaps = face
      .replace("'Parley Emoji'", "'Parley Keycaps'")
      .replace(/unicode-range: [^;]*/, `unicode-range: ${digits}U+20e3, U+fe0f`)
    return `${named.replace(digits, '')}\n@font-face${keycaps}`
  },
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  resolve: {
    alias: [
      { find: /^@parley\/client$/, replacement: clientSource('index.ts') },
      { find: /^@parley\/client\/realm$/, replacement: clientSource('realm/index.ts') },
      { find: /^#rules\/(.*)\.js$/, replacement: fileURLToPath(new URL('../rules/src/$1.ts', import.meta.url)) },
    ],
  },
  plugins: [emojiFont, appIcons, firstTheme],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('../dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What the page always loads is one file of scripts and one of styles. Otherwise each module that a dialog uses too
    // is a file of its own, and a browser asks for six at a time.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'page', tags: ['$initial'] }] } } },
  },
  server: { proxy: Object.fromEntries(gatewayPaths.map((path) => [path, { target: gateway, ws: true }])) },
})
