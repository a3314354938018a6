/**
 * The writing direction of each part of a message: one message can have Arabic, Hebrew and English.
 *
 * 1. A block with text has `dir="auto"`: its first letter decides, and each of its lines is aligned for itself
 *    (rendered.css).
 * 2. `auto` does not look into parts that have a direction of their own. So the direction of what is around blocks,
 *    which decides the side of bullets, bars and first columns, is that of its first letter.
 * 3. Code is written from left to right.
 */

const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

const blocks = 'p, li, h1, h2, h3, h4, h5, h6, td, th, .spoiler-header'

/** Sets the directions of a message. */
export const setDirections = (content: ParentNode): void => {
  for (const block of content.querySelectorAll<HTMLElement>(blocks)) {
    block.dir = 'auto'
  }
  for (const code of content.querySelectorAll<HTMLElement>('pre, code')) code.dir = 'ltr'
  for (const around of content.querySelectorAll<HTMLElement>('ul, ol, blockquote, table, .spoiler-block')) {
    const direction = firstDirection(around)
    around.dir = direction
    if (!around.matches('ul, ol')) continue
    const isMixed = [...around.children].some((item) => firstDirection(item) !== direction)
    around.classList.toggle('mixed-list', isMixed)
  }
}

const firstDirection = (element: Element): 'ltr' | 'rtl' => {
  const letter = /\p{L}/u.exec(element.textContent ?? '')?.[0] ?? ''
  return rightToLeft.test(letter) ? 'rtl' : 'ltr'
}
