/** A dialog with one picture of the loaded messages; arrow keys go to the next and the previous one. */

import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { stepOfArrow } from '../../languages/direction.js'
import { t } from '../../languages/t.js'
import { type OpenWindow, useChat } from '../../realm/chat.js'
import { userName } from '../../realm/names.js'
import { Dialog } from '../../ui/dialog.js'
import { Icon } from '../../ui/icon.js'
import { formatFullTime } from '../../ui/times.js'
import { PICTURE_LINK, type Picture, picturesOf } from './pictures.js'
import './picture-viewer.css'

/** The picture that is shown, by its message and its position there. */
const shown = signal<{ messageId: number; index: number } | undefined>(undefined)

const show = ({ message, index }: Picture): void => {
  shown.value = { messageId: message.id, index }
}

const close = (): void => {
  shown.value = undefined
}

/** Shows the picture of the list that the user clicks. */
export const PictureViewer = ({ window }: { window: OpenWindow }) => {
  useEffect(() => openOnClick(), [])
  useEffect(() => close, [window])
  if (shown.value === undefined) return null
  const { messageId, index } = shown.value
  const isCurrent = (picture: Picture) => picture.message.id === messageId && picture.index === index
  const pictures = window.view.value.messages
    .flatMap(picturesOf)
    .filter((picture) => !picture.isHidden || isCurrent(picture))
  const position = pictures.findIndex(isCurrent)
  const picture = pictures[position]
  return picture === undefined ? (
    <Dialog title={t('Picture')} onClose={close}>
      <p>{t('The message with this picture was changed or deleted.')}</p>
    </Dialog>
  ) : (
    <Viewer pictures={pictures} position={position} picture={picture} />
  )
}

interface ViewerProps {
  pictures: readonly Picture[]
  position: number
  picture: Picture
}

const Viewer = ({ pictures, position, picture }: ViewerProps) => {
  const chat = useChat()
  const { message, source, original, title } = picture
  const go = (step: 1 | -1) => {
    const next = pictures[position + step]
    if (next !== undefined) show(next)
  }
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const step = stepOfArrow(event.key)
      if (step === 0) return
      event.preventDefault()
      go(step)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  })
  return (
    <Dialog title={title} size="whole" onClose={close}>
      <div class="picture-viewer">
        <div class="picture-stage">
          <img key={source} src={source} alt={title} />
        </div>
        <div class="picture-foot">
          <p class="soft-text">
            {t.rich(
              '{name}, {time}',
              {},
              {
                name: <bdi>{userName(chat, message.sender_id)}</bdi>,
                time: formatFullTime(new Date(message.timestamp * 1000)),
              },
            )}
          </p>
          <StepButton label={t('Previous picture')} icon="back" isEnd={position === 0} onClick={() => go(-1)} />
          <span class="picture-position" role="status">
            {t('{position, number} of {count, number}', { position: position + 1, count: pictures.length })}
          </span>
          <StepButton
            label={t('Next picture')}
            icon="right"
            isEnd={position === pictures.length - 1}
            onClick={() => go(1)}
          />
          <a class="button" href={original} target="_blank" rel="noopener noreferrer">
            {t('Open the original')}
          </a>
        </div>
      </div>
    </Dialog>
  )
}

interface StepButtonProps {
  label: string
  icon: 'back' | 'right'
  isEnd: boolean
  onClick: () => void
}

/** A button that is disabled at the end, but keeps the focus. */
const StepButton = ({ label, icon, isEnd, onClick }: StepButtonProps) => (
  <button type="button" class="icon-button" aria-label={label} title={label} aria-disabled={isEnd} onClick={onClick}>
    <Icon name={icon} />
  </button>
)

/** Shows the picture of a link in the list. With a modifier key the browser follows the link, as everywhere. */
const openOnClick = (): (() => void) => {
  const onClick = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    const link = event.target instanceof Element ? event.target.closest(PICTURE_LINK) : null
    const article = link?.closest<HTMLElement>('.message-scroller article[data-id]')
    if (link === null || article === null || article === undefined) return
    event.preventDefault()
    const index = [...article.querySelectorAll(PICTURE_LINK)].indexOf(link)
    shown.value = { messageId: Number(article.dataset.id), index }
  }
  document.addEventListener('click', onClick)
  return () => document.removeEventListener('click', onClick)
}
