/**
 * The icons of the page in all forms that browsers and systems ask for, and the manifest with which the page is
 * installed as an application. All are made from icon.svg, so they never differ from it; the same sources make the same
 * bytes.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import type { Plugin } from 'vite'

const source = fileURLToPath(new URL('src/icons/icon.svg', import.meta.url))

/** The ground of the icon. A system that cuts icons to its own form needs it in the corners, too. */
const GROUND = '#4c6ef5'

interface IconFile {
  name: string
  size: number
  /** without transparent corners */
  isFull?: boolean
}

const pictures: readonly IconFile[] = [
  { name: 'apple-touch-icon.png', size: 180, isFull: true },
  { name: 'icon-192.png', size: 192 },
  { name: 'icon-512.png', size: 512 },
  { name: 'icon-maskable-512.png', size: 512, isFull: true },
]

const manifest = {
  id: '/',
  name: 'Parley',
  short_name: 'Parley',
  description: 'Team chat in topics',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: '#f5f5f8',
  theme_color: '#f5f5f8',
  icons: [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
}

const draw = (svg: Buffer, { size, isFull = false }: Omit<IconFile, 'name'>): Promise<Buffer> => {
  const image = sharp(svg, { density: (72 * size) / 32 }).resize(size, size)
  return (isFull ? image.flatten({ background: GROUND }) : image).png({ compressionLevel: 9 }).toBuffer()
}

/** A file for browsers that know no other form: the header of one picture of 32 pixels, and the picture as PNG. */
const wrapAsIco = (png: Buffer): Buffer => {
  const header = Buffer.alloc(22)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(1, 4)
  header.writeUInt8(32, 6)
  header.writeUInt8(32, 7)
  header.writeUInt16LE(1, 10)
  header.writeUInt16LE(32, 12)
  header.writeUInt32LE(png.length, 14)
  header.writeUInt32LE(header.length, 18)
  return Buffer.concat([header, png])
}

/** Writes the icons and the manifest, and names them in the page. */
export const appIcons: Plugin = {
  name: 'app-icons',
  apply: 'build',
  async generateBundle() {
    const svg = readFileSync(source)
    const emit = (fileName: string, content: Buffer | string) =>
      this.emitFile({ type: 'asset', fileName, source: content })
    for (const { name, ...form } of pictures) emit(name, await draw(svg, form))
    emit('favicon.ico', wrapAsIco(await draw(svg, { size: 32 })))
    emit('manifest.webmanifest', `${JSON.stringify(manifest, null, 2)}\n`)
  },
  transformIndexHtml: () => [
    { tag: 'link', attrs: { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' } },
    { tag: 'link', attrs: { rel: 'manifest', href: '/manifest.webmanifest' } },
  ],
}
