/** The dialog of the action that is open; editing has its form in the message itself. */
import { DeleteDialog } from './delete-dialog.js'
import { HistoryDialog } from './history-dialog.js'
import { MoveDialog } from './move-dialog.js'
import { openAction } from './open-action.js'
import { ReactionsDialog } from './reactions-dialog.js'
import { ReceiptsDialog } from './receipts-dialog.js'
import { RemindDialog } from './remind-dialog.js'
import { ReportDialog } from './report-dialog.js'
import './actions.css'

/** Shows the dialog. */
export const ActionDialogs = () => {
  const action = openAction.value
  return (
    <>
      {action?.name === 'move' && <MoveDialog message={action.message} isOnTopic={action.isOnTopic === true} />}
      {action?.name === 'delete' && <DeleteDialog message={action.message} />}
      {action?.name === 'history' && <HistoryDialog message={action.message} />}
      {action?.name === 'receipts' && <ReceiptsDialog message={action.message} />}
      {action?.name === 'remind' && <RemindDialog message={action.message} />}
      {action?.name === 'report' && <ReportDialog message={action.message} />}
      {action?.name === 'reactions' && <ReactionsDialog message={action.message} />}
    </>
  )
}
