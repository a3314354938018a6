/** The files that are being uploaded for a message. */

import { type Signal, signal } from '@preact/signals'
import { errorText } from '../languages/error-text.js'
import { t } from '../languages/t.js'
import type { Chat } from '../realm/chat.js'
import { replaceText } from './text-edits.js'

/** A file on its way. */
export interface Upload {
  readonly id: number
  readonly name: string
  /** from 0 to 1 */
  readonly progress: number
  readonly failure?: string
  readonly cancel: () => void
}

/** The uploads of one compose box. */
export interface Uploads {
  readonly list: Signal<readonly Upload[]>
  /** Uploads files; each has a place in the text, which becomes its link. */
  add(field: HTMLTextAreaElement, files: Iterable<File>): void
  /** Removes the note of an upload that failed. */
  dismiss(id: number): void
}

const MIB = 1024 * 1024
let count = 0

/** Opens the uploads of a box. */
export const openUploads = (chat: Chat): Uploads => {
  const list = signal<readonly Upload[]>([])
  const patch = (id: number, fields: Partial<Upload>) => {
    list.value = list.peek().map((upload) => (upload.id === id ? { ...upload, ...fields } : upload))
  }
  const dismiss = (id: number) => {
    list.value = list.peek().filter((upload) => upload.id !== id)
  }

  const upload = async (field: HTMLTextAreaElement, file: File) => {
    count += 1
    const id = count
    const abort = new AbortController()
    list.value = [...list.peek(), { id, name: file.name, progress: 0, cancel: () => abort.abort() }]
    const limit = chat.organization.peek().max_file_upload_size_mib
    if (limit !== undefined && file.size > limit * MIB) {
      patch(id, { failure: t('The file is larger than {limit, number} MiB.', { limit }) })
      return
    }
    const place = `[${t('Uploading {file} ({number})…', { file: linkText(file.name), number: id })}]()`
    const { selectionStart: start, selectionEnd: end, value } = field
    const gap = start === 0 || /\s/.test(value[start - 1] ?? '') ? '' : ' '
    replaceText(field, start, end, `${gap}${place} `)
    try {
      const { url, filename } = await chat.client.upload(file, {
        signal: abort.signal,
        onProgress: (sent, total) => patch(id, { progress: total === 0 ? 1 : sent / total }),
      })
      replacePlace(field, place, fileLink(filename, url))
      dismiss(id)
    } catch (error) {
      replacePlace(field, place, '')
      if (abort.signal.aborted) dismiss(id)
      else patch(id, { failure: errorText(error) })
    }
  }

  return {
    list,
    add(field, files) {
      for (const file of files) void upload(field, file)
    },
    dismiss,
  }
}

/** The Markdown that links a file. */
export const fileLink = (name: string, url: string): string => `[${linkText(name)}](${url})`

const linkText = (name: string): string => name.replaceAll(/[[\]\n]/g, '_')

/** Replaces the place of a file in the text, and keeps the cursor where it is. */
const replacePlace = (field: HTMLTextAreaElement, place: string, text: string): void => {
  const start = field.value.indexOf(place)
  if (start === -1) return
  field.setRangeText(text, start, start + place.length, 'preserve')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
