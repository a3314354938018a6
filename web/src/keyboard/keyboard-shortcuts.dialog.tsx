/** The list of keyboard shortcuts. It is the table by which the keys work. */

import { textKeyName, textKeys } from '../compose/text-keys.js'
import { AddressDialog } from '../dialogs/address-dialog.js'
import { CheckField } from '../forms/fields.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { describeKey } from '../ui/key-names.js'
import { type ShortcutEntry, shortcutTable } from '../ui/shortcut-table.js'
import { hasSingleKeys, setSingleKeys } from '../ui/single-keys.js'
import './keyboard-shortcuts.css'

interface Line {
  keys: readonly string[]
  label: string
}

/** The dialog `#keyboard-shortcuts`. */
const ShortcutsDialog = () => {
  const entries: readonly ShortcutEntry[] = Object.values(shortcutTable)
  const groups = [...new Set(entries.map(({ group }) => group))]
  const enterSends = useChat().settings.value.enter_sends !== false
  const writing: Line[] = [
    { keys: enterSends ? ['Enter', 'Ctrl+Enter'] : ['Ctrl+Enter'], label: t('Send') },
    { keys: enterSends ? ['Shift+Enter'] : ['Enter'], label: t('New line') },
    ...textKeys.map((key) => ({ keys: [textKeyName(key)], label: key.label })),
    { keys: ['ArrowUp'], label: t('Edit your last message, in an empty text field') },
    { keys: ['Escape'], label: t('Leave the text field') },
  ]
  const pointer: Line[] = [{ keys: ['Ctrl'], label: t('Hide the buttons over a message until another one is chosen') }]
  return (
    <AddressDialog title={t('Keyboard shortcuts')} size="large">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The list scrolls, also with keys. */}
      <section class="shortcut-groups" tabIndex={0} aria-label={t('All shortcuts')}>
        <CheckField
          label={t('Letters and signs alone are shortcuts')}
          hint={t(
            'Turn this off if you dictate, or press keys by accident. Arrow keys, Escape and keys with Control always work. This browser keeps the choice.',
          )}
          value={hasSingleKeys.value}
          onChange={setSingleKeys}
        />
        <div class="shortcut-columns">
          {groups.map((title) => (
            <ShortcutGroup key={title} title={title} lines={entries.filter(({ group }) => group === title)} />
          ))}
          <ShortcutGroup title={t('Pointer and focus')} lines={pointer} />
          <ShortcutGroup title={t('Writing')} lines={writing} />
        </div>
      </section>
    </AddressDialog>
  )
}

export default ShortcutsDialog

const ShortcutGroup = ({ title, lines }: { title: string; lines: readonly Line[] }) => (
  <section class="shortcut-group" aria-label={title}>
    <h3>{title}</h3>
    <dl>
      {lines.map(({ keys, label }) => (
        <div key={label} class="shortcut-line">
          <dt>{label}</dt>
          <dd>
            {keys.map((key) => (
              <kbd key={key}>{describeKey(key)}</kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </section>
)
