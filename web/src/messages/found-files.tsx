/** The files of a message in which a search found its words. */

import type { Message } from '@parley/client'
import { listElements } from '../languages/lists.js'
import { t } from '../languages/t.js'
import { Icon } from '../ui/icon.js'

/** Names the files, each as a link. */
export const FoundFiles = ({ files }: { files: NonNullable<Message['match_files']> }) => (
  <p class="found-files">
    <Icon name="attach" size={14} />
    <span>
      {t.rich(
        'Found in {files}',
        {},
        {
          files: (
            <>
              {listElements(
                files.map(({ name, url }) => (
                  <a key={url} href={url} target="_blank" rel="noreferrer" dir="auto">
                    <mark>{name}</mark>
                  </a>
                )),
              )}
            </>
          ),
        },
      )}
    </span>
  </p>
)
