/** How far the deletions of topics are: a line for each, below the view. */
import type { JSX } from 'preact'
import { t } from '../languages/t.js'
import { type TopicDeletion, topicDeletions } from './topic-deletions.js'
import './deletion-lines.css'

/** Shows the lines. They have no button: the server goes on in any case. */
export const DeletionLines = () => (
  <div role="status">
    {topicDeletions.value.map((deletion) => (
      <DeletionLine key={deletion.name} deletion={deletion} />
    ))}
  </div>
)

const DeletionLine = ({ deletion: { name, deleted, total, isWaiting } }: { deletion: TopicDeletion }) => {
  const progress = describeProgress(<bdi>{name}</bdi>, deleted, total)
  return (
    <p class="deletion-line">
      <span>
        {isWaiting
          ? t.rich('{progress}. The connection is lost; it goes on when it is back.', {}, { progress: <>{progress}</> })
          : progress}
      </span>
      {total !== undefined && (
        <progress max={Math.max(total, 1)} value={deleted} aria-label={t('Deleting {name}', { name })} />
      )}
    </p>
  )
}

const describeProgress = (name: JSX.Element, deleted: number, total: number | undefined) =>
  total === undefined
    ? t.rich(
        'Deleting {name}: {count, plural, one {# message} other {# messages}} so far',
        {},
        { name, count: deleted },
      )
    : t.rich(
        'Deleting {name}: {count, number} of {total, plural, one {# message} other {# messages}}',
        {},
        { name, count: deleted, total },
      )
