import type { Signal } from '@preact/signals'
import { t } from '../languages/t.js'

interface ShowMoreProps {
  total: number
  /** how many are shown */
  most: Signal<number>
  /** how many more a press shows */
  step: number
}

/** The button below a list that shows a part of its entries. */
export const ShowMore = ({ total, most, step }: ShowMoreProps) =>
  total <= most.value ? null : (
    <div class="form-buttons">
      <button
        type="button"
        class="button"
        onClick={() => {
          most.value += step
        }}
      >
        {t('Show more')}
      </button>
    </div>
  )
