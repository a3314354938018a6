import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../languages/t.js'
import { Icon } from '../ui/icon.js'
import type { Upload, Uploads } from './uploads.js'

/** The files on their way, each with its progress. */
export const UploadList = ({ uploads }: { uploads: Uploads }) => {
  if (uploads.list.value.length === 0) return null
  return (
    <ul class="upload-list" aria-label={t('Uploads')}>
      {uploads.list.value.map((upload) => (
        <UploadRow key={upload.id} upload={upload} onDismiss={() => uploads.dismiss(upload.id)} />
      ))}
    </ul>
  )
}

const UploadRow = ({ upload, onDismiss }: { upload: Upload; onDismiss: () => void }) => {
  const { name, progress, failure, cancel } = upload
  const bar = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => bar.current?.style.setProperty('width', `${progress * 100}%`), [progress])
  return (
    <li class="upload-row">
      <span class="upload-name" dir="auto">
        {name}
      </span>
      {failure === undefined ? (
        <span
          class="upload-track"
          role="progressbar"
          aria-label={t('Upload of {name}', { name })}
          aria-valuenow={Math.round(progress * 100)}
        >
          <span class="upload-bar" ref={bar} />
        </span>
      ) : (
        <span class="upload-failure" role="alert">
          {failure}
        </span>
      )}
      <button
        type="button"
        class="icon-button"
        aria-label={failure === undefined ? t('Cancel the upload of {name}', { name }) : t('Dismiss {name}', { name })}
        onClick={failure === undefined ? cancel : onDismiss}
      >
        <Icon name="close" size={14} />
      </button>
    </li>
  )
}
