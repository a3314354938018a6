/** The buttons below the text: formatting, files, emoji, calls, preview. */

import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import { EmojiPicker } from '../emoji/emoji-picker.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { Icon, type IconName } from '../ui/icon.js'
import { describeKey } from '../ui/key-names.js'
import { callServer, composeCallLink } from './calls.js'
import { Insertion, type InsertionName, writeInto } from './insertions/insertion.js'
import {
  insertLink,
  insertSpoiler,
  insertWord,
  prefixLines,
  replaceText,
  toggleAround,
  toggleCode,
} from './text-edits.js'
import { textKeyName, textKeys } from './text-keys.js'

interface ComposeToolsProps {
  field: RefObject<HTMLTextAreaElement | null>
  isPreview: boolean
  onPreview: () => void
  onFiles: (field: HTMLTextAreaElement, files: Iterable<File>) => void
}

const withKey = (label: string): string => {
  const key = textKeys.find((each) => each.label === label)
  return key === undefined ? label : `${label} (${describeKey(textKeyName(key))})`
}

const formats: readonly { label: string; icon: IconName; apply: (field: HTMLTextAreaElement) => void }[] = [
  { label: withKey(t('Bold')), icon: 'bold', apply: (field) => toggleAround(field, '**') },
  { label: withKey(t('Italic')), icon: 'italic', apply: (field) => toggleAround(field, '*') },
  { label: withKey(t('Link')), icon: 'link', apply: insertLink },
  { label: t('Code'), icon: 'code', apply: toggleCode },
  { label: t('Quote'), icon: 'quote', apply: (field) => prefixLines(field, '> ') },
  { label: t('List'), icon: 'list', apply: (field) => prefixLines(field, '* ') },
  { label: t('Spoiler'), icon: 'hidden', apply: insertSpoiler },
]

const forms: readonly { name: InsertionName; label: string; icon: IconName }[] = [
  { name: 'time', label: t('Time'), icon: 'clock' },
  { name: 'poll', label: t('Poll'), icon: 'poll' },
  { name: 'todo', label: t('To-do list'), icon: 'tasks' },
  { name: 'snippet', label: t('Snippet'), icon: 'bookmark' },
]

const kindsOfCalls: readonly { label: string; icon: IconName; hasVideo: boolean }[] = [
  { label: t('Video call'), icon: 'video', hasVideo: true },
  { label: t('Voice call'), icon: 'phone', hasVideo: false },
]

/** Shows the buttons. */
export const ComposeTools = ({ field, isPreview, onPreview, onFiles }: ComposeToolsProps) => {
  const files = useRef<HTMLInputElement>(null)
  const emojiButton = useRef<HTMLButtonElement>(null)
  const isPicking = useSignal(false)
  const form = useSignal<{ name: InsertionName; text: string } | undefined>(undefined)
  const name = form.value?.name
  const calls = callServer(useChat())
  const withField = (apply: (field: HTMLTextAreaElement) => void) => () => {
    const element = field.current
    if (element === null) return
    element.focus()
    apply(element)
  }
  return (
    <div class="compose-tools" role="toolbar" aria-label={t('Formatting')}>
      <ToolButton label={t('Attach files')} icon="attach" onClick={() => files.current?.click()} />
      <input
        ref={files}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          const input = event.currentTarget
          if (input.files !== null && field.current !== null) onFiles(field.current, input.files)
          input.value = ''
        }}
      />
      <button
        type="button"
        class="icon-button"
        ref={emojiButton}
        aria-label={t('Insert an emoji')}
        title={t('Insert an emoji')}
        aria-expanded={isPicking.value}
        onClick={() => {
          isPicking.value = !isPicking.value
        }}
      >
        <Icon name="smile" size={16} />
      </button>
      {isPicking.value && emojiButton.current !== null && (
        <EmojiPicker
          anchor={emojiButton.current}
          onClose={() => {
            isPicking.value = false
          }}
          hasTones
          onPick={({ name }, glyph = `:${name}:`) =>
            withField((element) => replaceText(element, element.selectionStart, element.selectionEnd, `${glyph} `))()
          }
        />
      )}
      {formats.map(({ label, icon, apply }) => (
        <ToolButton key={icon} label={label} icon={icon} onClick={withField(apply)} />
      ))}
      {calls !== undefined &&
        kindsOfCalls.map(({ label, icon, hasVideo }) => (
          <ToolButton
            key={icon}
            label={label}
            icon={icon}
            onClick={withField((element) => insertWord(element, composeCallLink(calls, hasVideo)))}
          />
        ))}
      {forms.map(({ name: each, label, icon }) => (
        <ToolButton
          key={each}
          label={label}
          icon={icon}
          onClick={() => {
            form.value = { name: each, text: field.current?.value ?? '' }
          }}
        />
      ))}
      {name !== undefined && (
        <Insertion
          name={name}
          // A poll and a to-do list are messages of their own: their forms begin with what is written.
          text={name === 'time' ? '' : (form.value?.text ?? '')}
          onClose={() => {
            form.value = undefined
          }}
          onInsert={(text) =>
            writeInto(field.current, (element) => {
              const { selectionStart, selectionEnd, value } = element
              if (name === 'time' || name === 'snippet') replaceText(element, selectionStart, selectionEnd, text)
              else replaceText(element, 0, value.length, text)
            })
          }
        />
      )}
      <button
        type="button"
        class="icon-button"
        aria-label={t('Preview')}
        title={t('Preview')}
        aria-pressed={isPreview}
        onClick={onPreview}
      >
        <Icon name={isPreview ? 'edit' : 'follow'} size={16} />
      </button>
    </div>
  )
}

const ToolButton = ({ label, icon, onClick }: { label: string; icon: IconName; onClick: () => void }) => (
  <button type="button" class="icon-button" aria-label={label} title={label} onClick={onClick}>
    <Icon name={icon} size={16} />
  </button>
)
