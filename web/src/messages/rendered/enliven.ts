/**
 * Gives the content of a message what its HTML leaves to the client: emoji as characters, spoilers that open, local
 * times, code that can be copied, and mentions and alert words of the user in a colour.
 */
import { t } from '../../languages/t.js'
import { copyText } from '../../ui/copy-text.js'
import { formatFullTime } from '../../ui/times.js'
import { markAlertWords } from './alert-words.js'

/** Of whom a mention is a mention of the user, and what else is marked for the user. */
export interface MentionContext {
  userId: number | undefined
  groupIds: ReadonlySet<number>
  /** users whose names get the mark of guests */
  guestIds: ReadonlySet<number>
  /** finds the user's alert words, in a message that has one */
  alertWords?: RegExp | undefined
}

/** How the user wants to see what is in messages. */
export interface ContentStyle {
  /** emoji as their names, such as `:smile:` */
  hasEmojiNames: boolean
  /** when the preview of an animated picture moves */
  animation: 'always' | 'on_hover' | 'never'
}

/** Changes the content of a message in place. */
export const enliven = (content: ParentNode & Node, mentions: MentionContext, style: ContentStyle): void => {
  if (style.hasEmojiNames) writeEmojiNames(content)
  else for (const emoji of content.querySelectorAll<HTMLElement>('span.emoji')) showEmoji(emoji)
  for (const block of content.querySelectorAll<HTMLElement>('.spoiler-block')) makeSpoiler(block)
  for (const time of content.querySelectorAll('time')) showTime(time)
  for (const block of content.querySelectorAll<HTMLElement>('.codehilite')) addCopyButton(block)
  for (const mark of content.querySelectorAll('.highlight_text_inserted')) mark.role = 'insertion'
  for (const mark of content.querySelectorAll('.highlight_text_deleted')) mark.role = 'deletion'
  for (const video of content.querySelectorAll('video')) video.controls = true
  for (const image of content.querySelectorAll('img')) {
    prepareImage(image)
    if (image.dataset.animated === 'true' && style.animation !== 'always') animateOnHover(image, style.animation)
  }
  markMentions(content, mentions)
  if (mentions.alertWords !== undefined) markAlertWords(content, mentions.alertWords)
}

/** `emoji-1f1e9-1f1ea` is the flag that these code points write. */
export const showEmoji = (span: HTMLElement): void => {
  const code = [...span.classList].find((name) => /^emoji-[0-9a-f]+(?:-[0-9a-f]+)*$/.test(name))
  const points = code
    ?.slice('emoji-'.length)
    .split('-')
    .map((point) => Number.parseInt(point, 16))
  if (points?.every((point) => point <= 0x10ffff)) span.textContent = String.fromCodePoint(...points)
}

/** The text of an emoji is its name; that of a picture is its alternative. */
const writeEmojiNames = (content: ParentNode): void => {
  for (const image of content.querySelectorAll<HTMLImageElement>('img.emoji')) image.replaceWith(image.alt)
}

/** Shows the preview without motion, and the moving one while the pointer or the focus is on it. */
const animateOnHover = (image: HTMLImageElement, animation: 'on_hover' | 'never'): void => {
  const moving = image.getAttribute('src') ?? ''
  const still = moving.replace(/-anim(?=\.webp$)/, '')
  image.src = still
  if (animation === 'never') return
  const place = image.closest('a') ?? image
  const setSource = (source: string) => () => {
    image.src = source
  }
  for (const event of ['pointerenter', 'focus']) place.addEventListener(event, setSource(moving))
  for (const event of ['pointerleave', 'blur']) place.addEventListener(event, setSource(still))
}

const makeSpoiler = (block: HTMLElement): void => {
  const header = block.querySelector<HTMLElement>(':scope > .spoiler-header')
  const content = block.querySelector<HTMLElement>(':scope > .spoiler-content')
  if (header === null || content === null) return
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'spoiler-button'
  const show = (isOpen: boolean) => {
    button.setAttribute('aria-expanded', String(isOpen))
    button.textContent = isOpen ? t('Hide') : t('Show')
    content.hidden = !isOpen
    content.setAttribute('aria-hidden', String(!isOpen))
  }
  button.addEventListener('click', () => show(content.hidden !== false))
  show(false)
  if (header.textContent?.trim() === '') header.textContent = t('Spoiler')
  header.append(button)
}

const showTime = (time: HTMLTimeElement): void => {
  time.title = t('Sent as {text}', { text: time.textContent })
  writeTime(time)
}

const writeTime = (time: HTMLTimeElement): void => {
  const date = new Date(time.dateTime)
  if (!Number.isNaN(date.getTime())) time.textContent = formatFullTime(date)
}

/** Writes the local times again, with the clock that the user chose meanwhile. */
export const rewriteTimes = (content: ParentNode): void => {
  for (const time of content.querySelectorAll('time')) writeTime(time)
}

const addCopyButton = (block: HTMLElement): void => {
  const code = block.querySelector('code')
  if (code === null) return
  block.querySelector('pre')?.setAttribute('tabindex', '0')
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'code-copy-button'
  const language = block.dataset.codeLanguage
  button.textContent = t('Copy')
  button.setAttribute(
    'aria-label',
    language === undefined ? t('Copy the code') : t('Copy the {language} code', { language }),
  )
  button.addEventListener('click', async () => {
    if (!(await copyText(code.textContent ?? '', t('The code was copied.')))) return
    button.textContent = t('Copied')
    setTimeout(() => {
      button.textContent = t('Copy')
    }, 1500)
  })
  const buttons = document.createElement('div')
  buttons.className = 'code-buttons'
  buttons.append(button)
  block.append(buttons)
}

/** Reserves the size that the image will have, so that the list does not move when it arrives. */
const prepareImage = (image: HTMLImageElement): void => {
  image.loading = 'lazy'
  image.decoding = 'async'
  if (!image.hasAttribute('alt')) image.alt = image.closest('a')?.title ?? ''
  const link = image.closest('a')
  if (link !== null && image.alt === '') link.setAttribute('aria-label', t('Open the image'))
  const [width, height] = (image.dataset.originalDimensions ?? '').split('x').map(Number)
  if (width === undefined || height === undefined || !(width > 0 && height > 0)) return
  const scale = Math.min(1, 360 / width, 240 / height)
  image.width = Math.round(width * scale)
  image.height = Math.round(height * scale)
}

const markMentions = (content: ParentNode, { userId, groupIds, guestIds }: MentionContext): void => {
  for (const mention of content.querySelectorAll<HTMLElement>('.user-mention, .topic-mention, .user-group-mention')) {
    const { userId: mentioned, userGroupId } = mention.dataset
    const isMe =
      !mention.classList.contains('silent') &&
      (mentioned === '*' ||
        mention.classList.contains('topic-mention') ||
        Number(mentioned) === userId ||
        groupIds.has(Number(userGroupId)))
    mention.classList.toggle('mention-of-me', isMe)
    if (guestIds.has(Number(mentioned))) addGuestMark(mention)
    // A click or Enter opens the card of the user or the group (app/dialogs.tsx).
    if (mentioned === undefined ? userGroupId === undefined : mentioned === '*') continue
    mention.tabIndex = 0
    mention.role = 'button'
  }
}

/** As `userName` marks guests. The name may have parts, such as a mark of what a search found. */
const addGuestMark = (mention: HTMLElement): void => {
  const name = document.createDocumentFragment()
  name.append(...mention.childNodes)
  mention.append(...t.rich<Node>('{name} (guest)', {}, { name }))
}
