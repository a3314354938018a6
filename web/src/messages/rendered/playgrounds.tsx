/**
 * The button “Run” of code blocks: it opens the code in a playground of the organization, in a new tab.
 *
 * 1. The address is that of the playground's URL template, with the code as an encoded part of it.
 * 2. The server accepts only templates of http and https. What a template makes of the code is checked again here.
 * 3. The other site gets no access to this page, and does not learn its address (`noopener`, `noreferrer`).
 */

import type { Organization } from '@parley/client/realm'
import { signal } from '@preact/signals'
import { render } from 'preact'
import { t } from '../../languages/t.js'
import { Menu } from '../../ui/menu.js'
import { playgroundAddress } from './playground-address.js'

type Playground = NonNullable<Organization['realm_playgrounds']>[number]

/** The playgrounds of the organization whose messages are shown. */
export const codePlaygrounds = signal<readonly Playground[]>([])

/** Gives each code block the button, if its language has a playground. Buttons of former playgrounds are removed. */
export const addRunButtons = (content: ParentNode, playgrounds: readonly Playground[]): void => {
  for (const button of content.querySelectorAll('.code-run-button')) button.remove()
  if (playgrounds.length === 0) return
  for (const block of content.querySelectorAll<HTMLElement>('.codehilite[data-code-language]')) {
    const language = block.dataset.codeLanguage ?? ''
    const own = playgrounds.filter((each) => each.pygments_language.toLowerCase() === language.toLowerCase())
    const code = block.querySelector('code')?.textContent ?? ''
    const choices = own.flatMap(({ name, url_template }) => {
      const href = playgroundAddress(url_template, code)
      return href === undefined ? [] : [{ name, href }]
    })
    const [first, ...others] = choices
    if (first === undefined) continue
    const button = others.length === 0 ? composeLink(first, language) : composeMenuButton(choices, language)
    block.querySelector('.code-buttons')?.prepend(button)
  }
}

interface Choice {
  name: string
  href: string
}

const composeLink = ({ name, href }: Choice, language: string): HTMLElement => {
  const link = document.createElement('a')
  link.className = 'code-run-button'
  link.textContent = t('Run')
  link.href = href
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
  link.title = name
  link.setAttribute('aria-label', t('Run the {language} code in {playground}', { language, playground: name }))
  return link
}

const composeMenuButton = (choices: readonly Choice[], language: string): HTMLElement => {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'code-run-button'
  button.textContent = t('Run')
  button.setAttribute('aria-label', t('Run the {language} code', { language }))
  button.setAttribute('aria-haspopup', 'menu')
  button.addEventListener('click', () => openMenu(button, choices))
  return button
}

/** The menu is beside its button in the document, so that it can also be used in a dialog. */
const openMenu = (button: HTMLElement, choices: readonly Choice[]): void => {
  const place = document.createElement('div')
  button.after(place)
  button.setAttribute('aria-expanded', 'true')
  const close = () => {
    render(null, place)
    place.remove()
    button.removeAttribute('aria-expanded')
  }
  const entries = choices.map(({ name, href }) => ({
    label: name,
    icon: 'code' as const,
    run: () => window.open(href, '_blank', 'noopener,noreferrer'),
  }))
  render(<Menu label={t('Run the code in')} groups={[entries]} anchor={button} onClose={close} />, place)
}
