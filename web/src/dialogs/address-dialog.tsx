import type { ComponentChildren } from 'preact'
import { closeOverlay } from '../routing/location.js'
import { Dialog } from '../ui/dialog.js'

/** What a dialog with an address gets: the parts of its address after the name. */
export interface DialogAddress {
  path: readonly string[]
}

interface AddressDialogProps {
  title: string
  size?: 'small' | 'large'
  children: ComponentChildren
}

/** A dialog that has an address: closing it leads back to the address of the view. */
export const AddressDialog = (props: AddressDialogProps) => <Dialog {...props} onClose={closeOverlay} />
