/** Changes the text of a field as if the user had typed, so that the browser can undo it. */

/** Replaces a part of the text. It puts the cursor behind the new text, or selects a part of it. */
export const replaceText = (
  field: HTMLTextAreaElement,
  start: number,
  end: number,
  text: string,
  selected?: [start: number, end: number],
): void => {
  if (document.activeElement === field) {
    field.setSelectionRange(start, end)
    // The only command that browsers can undo in a text field. It needs the focus.
    if (text === '' ? document.execCommand('delete') : document.execCommand('insertText', false, text)) {
      if (selected !== undefined) field.setSelectionRange(start + selected[0], start + selected[1])
      return
    }
  }
  field.setRangeText(text, start, end, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
  if (selected !== undefined) field.setSelectionRange(start + selected[0], start + selected[1])
}

/** Puts signs around the selection, or removes them if they are there. */
export const toggleAround = (field: HTMLTextAreaElement, before: string, after = before): void => {
  const { selectionStart: start, selectionEnd: end, value } = field
  const selection = value.slice(start, end)
  const isInside =
    value.slice(start - before.length, start) === before && value.slice(end, end + after.length) === after
  if (isInside) {
    replaceText(field, start - before.length, end + after.length, selection, [0, selection.length])
    return
  }
  replaceText(field, start, end, before + selection + after, [before.length, before.length + selection.length])
}

/** Puts a sign before each line of the selection, such as `> ` or `* `. */
export const prefixLines = (field: HTMLTextAreaElement, prefix: string): void => {
  const { selectionStart, selectionEnd: end, value } = field
  const start = value.lastIndexOf('\n', selectionStart - 1) + 1
  const lines = value.slice(start, end).split('\n')
  replaceText(field, start, end, lines.map((line) => prefix + line).join('\n'))
}

/** Makes the selection the text of a link, and selects the place of its address. */
export const insertLink = (field: HTMLTextAreaElement): void => {
  const { selectionStart: start, selectionEnd: end, value } = field
  const text = value.slice(start, end) || 'text'
  replaceText(field, start, end, `[${text}](url)`, [text.length + 3, text.length + 6])
}

/** Formats the selection as code. The code is inside a line, or a block if the selection has several lines. */
export const toggleCode = (field: HTMLTextAreaElement): void => {
  const selection = field.value.slice(field.selectionStart, field.selectionEnd)
  if (selection.includes('\n')) toggleAround(field, '```\n', '\n```')
  else toggleAround(field, '`')
}

/** Hides the selection behind a heading. The cursor then is where the heading is written. */
export const insertSpoiler = (field: HTMLTextAreaElement): void => {
  const { selectionStart: start, selectionEnd: end, value } = field
  const selection = value.slice(start, end)
  const longest = Math.max(2, ...[...selection.matchAll(/^`+/gm)].map(([fence]) => fence.length))
  const fence = '`'.repeat(longest + 1)
  const before = start === 0 || value[start - 1] === '\n' ? '' : '\n'
  const after = end === value.length || value[end] === '\n' ? '' : '\n'
  const head = `${before}${fence}spoiler `
  replaceText(field, start, end, `${head}\n${selection}\n${fence}${after}`, [head.length, head.length])
}

/** Inserts a text in place of the selection. Spaces divide it from what is before and behind it. */
export const insertWord = (field: HTMLTextAreaElement, text: string): void => {
  const { selectionStart: start, selectionEnd: end, value } = field
  const before = /\S$/.test(value.slice(0, start)) ? ' ' : ''
  const after = /^\s/.test(value.slice(end)) ? '' : ' '
  replaceText(field, start, end, before + text + after)
}

/** Inserts a text as lines of its own. */
export const insertLines = (field: HTMLTextAreaElement, text: string): void => {
  const { selectionStart: start, selectionEnd: end, value } = field
  const gap = start === 0 || value[start - 1] === '\n' ? '' : '\n'
  replaceText(field, start, end, `${gap}${text}\n`)
}
