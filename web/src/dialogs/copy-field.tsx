import { ActionStatus, useAction } from '../forms/action.js'
import { t } from '../languages/t.js'
import { writeToClipboard } from '../ui/copy-text.js'

/** A text that the user copies, such as a link or a key. */
export const CopyField = ({ label, value }: { label: string; value: string }) => {
  const copy = useAction()
  return (
    <>
      <div class="invite-link">
        <input
          dir="ltr"
          class="text-field"
          aria-label={label}
          readOnly
          value={value}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button type="button" class="button" onClick={() => copy.run(() => writeToClipboard(value), t('Copied.'))}>
          {t('Copy')}
        </button>
      </div>
      <ActionStatus action={copy} />
    </>
  )
}
