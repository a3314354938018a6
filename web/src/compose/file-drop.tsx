/**
 * Files that are dropped anywhere on the page.
 *
 * 1. The browser never opens a dropped file.
 * 2. The text field that is open takes the files. An element inside may take them first (`preventDefault`).
 * 3. Without a text field, the page says what to do.
 */

import { type Signal, signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../languages/t.js'
import { say } from '../ui/status-line.js'
import { composeTo, type Target } from './compose-target.js'

/**
 * The text field that takes files, and its label while they are dragged. The page shows the label then. Undefined while
 * no such field is open.
 */
export const fileReceiver = signal<{ readonly label: string; add(files: readonly File[]): void } | undefined>(undefined)

/** Files that go into the text field that is opened next. */
const waitingFiles = signal<readonly File[]>([])

/** A drag that is over tells it, except where the browser loses it. While it lasts, an event comes every 350 ms. */
const LOST_MS = 1_000

interface FileDropProps {
  /** where a message without a text field would go at first; undefined for visitors, who cannot write */
  newTarget: Target | undefined
}

/** Takes the files, and shows where they go while they are dragged. */
export const FileDrop = ({ newTarget }: FileDropProps) => {
  const isDragging = useSignal(false)
  const receiver = fileReceiver.value
  useEffect(
    () => watchDrags(isDragging, (files) => deliver(files, newTarget)),
    [newTarget?.kind, JSON.stringify(newTarget)],
  )
  useEffect(() => {
    if (receiver === undefined || waitingFiles.peek().length === 0) return
    receiver.add(waitingFiles.peek())
    waitingFiles.value = []
  }, [receiver])
  if (!isDragging.value) return null
  return (
    <div class="drop-zone">
      <p class="drop-zone-text">{receiver?.label ?? t('There is no text field for files here')}</p>
    </div>
  )
}

const deliver = (files: readonly File[], newTarget: Target | undefined): void => {
  const receiver = fileReceiver.peek()
  if (files.length === 0) say({ text: t('Folders cannot be attached. Drop the files in them.'), isFailure: true })
  else if (receiver !== undefined) receiver.add(files)
  else sayWhatToDo(files, newTarget)
}

const sayWhatToDo = (files: readonly File[], newTarget: Target | undefined): void => {
  const [count, name] = [files.length, files[0]?.name]
  if (newTarget === undefined) {
    say({
      text: t(
        '{count, plural, one {{name} was not attached. Log in to write messages.} other {# files were not attached. Log in to write messages.}}',
        { count, name },
      ),
      isFailure: true,
    })
    return
  }
  say({
    text: t(
      '{count, plural, one {{name} was not attached, because no message is being written here.} other {# files were not attached, because no message is being written here.}}',
      { count, name },
    ),
    isFailure: true,
    action: {
      label: t('Attach to a new message'),
      async run() {
        waitingFiles.value = files
        composeTo(newTarget)
      },
    },
  })
}

const watchDrags = (isDragging: Signal<boolean>, onFiles: (files: readonly File[]) => void): (() => void) => {
  const ending = new AbortController()
  let lost: ReturnType<typeof setTimeout> | undefined
  /** a drag that began in the page, such as that of a picture */
  let isOwn = false
  const end = () => {
    clearTimeout(lost)
    isDragging.value = false
  }
  const listen = <Name extends keyof DocumentEventMap>(name: Name, listener: (event: DocumentEventMap[Name]) => void) =>
    document.addEventListener(name, listener, { signal: ending.signal })

  listen('dragstart', () => {
    isOwn = true
  })
  listen('dragend', () => {
    isOwn = false
  })
  const over = (event: DragEvent) => {
    if (isOwn || !hasFiles(event) || isFileField(event.target)) return
    event.preventDefault()
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy'
    isDragging.value = !isInDialog(event.target)
    clearTimeout(lost)
    lost = setTimeout(end, LOST_MS)
  }
  listen('dragenter', over)
  listen('dragover', over)
  listen('dragleave', ({ relatedTarget }) => relatedTarget === null && end())
  listen('drop', (event) => {
    end()
    if (isOwn || event.defaultPrevented || !hasFiles(event) || isFileField(event.target)) return
    event.preventDefault()
    if (isInDialog(event.target)) {
      say({
        text: t('Files are attached to messages. Close the dialog, and drop them on the conversation.'),
        isFailure: true,
      })
    } else onFiles(droppedFiles(event))
  })
  return () => {
    ending.abort()
    end()
  }
}

/** The dropped files without folders, which cannot be read. */
export const droppedFiles = ({ dataTransfer }: DragEvent): File[] =>
  [...(dataTransfer?.items ?? [])]
    .filter((item) => item.kind === 'file' && item.webkitGetAsEntry?.()?.isDirectory !== true)
    .flatMap((item) => item.getAsFile() ?? [])

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true

const isFileField = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.type === 'file'

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('dialog, [role=dialog]') !== null
