/** The names of keys, as keyboards of the reader's language have them. */
import { t } from '../languages/t.js'

const names: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  Ctrl: t('Ctrl'),
  Enter: t('Enter'),
  Escape: t('Esc'),
  Shift: t('Shift'),
}

/** A key, or keys that are pressed together. @param key such as `?`, `Escape` or `Ctrl+Shift+L` */
export const describeKey = (key: string): string =>
  key.length === 1
    ? key
    : key
        .split('+')
        .map((part) => names[part] ?? part)
        .join('+')
