/** How far the deletions of topics are: a line for each, below the view. */
import { t } from '../languages/t.js'
import { topicDeletions } from './topic-deletions.js'
import './deletion-lines.css'

/** Shows the lines. They have no button: the server goes on in any case. */
export const DeletionLines = () => (
  <div role="status">
    {topicDeletions.value.map(({ name, deleted, total, isWaiting }) => (
      <p key={name} class="deletion-line">
        <span>
          Deleting <bdi>{name}</bdi>: {describeCount(deleted, total)}
          {isWaiting && '. The connection is lost; it goes on when it is back.'}
        </span>
        {total !== undefined && (
          <progress max={Math.max(total, 1)} value={deleted} aria-label={t('Deleting {name}', { name })} />
        )}
      </p>
    ))}
  </div>
)

const describeCount = (deleted: number, total: number | undefined): string => {
  const count = deleted.toLocaleString('en')
  return total === undefined
    ? t('{count} messages so far', { count })
    : `${count} of ${total.toLocaleString('en')} messages`
}
