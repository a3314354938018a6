/** The dialog of the action that is open; editing has its form in the message itself. */
import { DeleteDialog } from './delete-dialog.js'
import { HistoryDialog } from './history-dialog.js'
import { MoveDialog } from './move-dialog.js'
import { actionFailure, openAction } from './open-action.js'
import { ReactionsDialog } from './reactions-dialog.js'
import { ReceiptsDialog } from './receipts-dialog.js'
import './actions.css'

/** Shows the dialog, and the failure of the last action without one. */
export const ActionDialogs = () => {
  const action = openAction.value
  return (
    <>
      {actionFailure.value !== '' && (
        <div class="action-failure error-note" role="alert">
          <span>{actionFailure.value}</span>
          <button
            type="button"
            class="button"
            onClick={() => {
              actionFailure.value = ''
            }}
          >
            Dismiss
          </button>
        </div>
      )}
      {action?.name === 'move' && <MoveDialog message={action.message} />}
      {action?.name === 'delete' && <DeleteDialog message={action.message} />}
      {action?.name === 'history' && <HistoryDialog message={action.message} />}
      {action?.name === 'receipts' && <ReceiptsDialog message={action.message} />}
      {action?.name === 'reactions' && <ReactionsDialog message={action.message} />}
    </>
  )
}
