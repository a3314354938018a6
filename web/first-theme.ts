/** The script that sets the theme: it runs before the page is first drawn, and is a file of its own. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const source = readFileSync(fileURLToPath(new URL('src/theme/first-theme.js', import.meta.url)), 'utf8')
const fileName = `assets/first-theme-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`

/** Writes the script, and names it in the head of the page. A module would run after the page was drawn. */
export const firstTheme: Plugin = {
  name: 'first-theme',
  apply: 'build',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName, source })
  },
  transformIndexHtml: () => [{ tag: 'script', attrs: { src: `/${fileName}` } }],
}
