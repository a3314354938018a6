/**
 * The few styles that a message may set. They are set through the CSSOM, because the page allows no style attribute.
 *
 * 1. A formula moves and sizes its own parts (KaTeX). No value refers to anything outside the element.
 * 2. A cell of a table is aligned, and the preview of a page has a picture.
 */

const length = /^-?\d{0,4}(?:\.\d{1,8})?(?:em|ex|px|%)?$/
const color = /^(?:[a-z]{1,24}|#[0-9a-f]{3,8}|transparent)$/i
const lineStyle = /^(?:solid|dashed|none)$/

/** The properties that KaTeX sets, with the form of their values. */
const formulaStyles: Record<string, RegExp> = {
  'background-color': color,
  'border-bottom-width': length,
  'border-color': color,
  'border-right-style': lineStyle,
  'border-right-width': length,
  'border-style': lineStyle,
  'border-top-width': length,
  'border-width': length,
  bottom: length,
  color,
  height: length,
  left: length,
  margin: length,
  'margin-left': length,
  'margin-right': length,
  'margin-top': length,
  'min-width': length,
  'padding-left': length,
  position: /^relative$/,
  top: length,
  'vertical-align': length,
  width: length,
}

const cellStyles: Record<string, RegExp> = { 'text-align': /^(?:left|center|right)$/ }
const pictureStyles: Record<string, RegExp> = { 'background-image': /^url\("(?:https:\/\/|\/(?!\/))[^"\\\s()<>]*"\)$/ }

/** Parses a style attribute, and returns the declarations that an element may have. */
export const allowedStyles = (style: string, element: Element, isFormula: boolean): [name: string, value: string][] => {
  const styles = isFormula ? formulaStyles : stylesOutsideFormulas(element)
  if (styles === undefined) return []
  return style.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/).flatMap((declaration): [string, string][] => {
    const colon = declaration.indexOf(':')
    const name = declaration.slice(0, colon).trim()
    const value = declaration.slice(colon + 1).trim()
    return Object.hasOwn(styles, name) && styles[name]?.test(value) ? [[name, value]] : []
  })
}

const stylesOutsideFormulas = (element: Element): Record<string, RegExp> | undefined => {
  if (element.localName === 'td' || element.localName === 'th') return cellStyles
  return element.localName === 'a' && element.classList.contains('message_embed_image') ? pictureStyles : undefined
}
