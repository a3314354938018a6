import type { ComponentChildren } from 'preact'
import { closeOverlay } from '../routing/location.js'
import { Dialog } from '../ui/dialog.js'

interface AddressDialogProps {
  title: string
  size?: 'small' | 'large'
  children: ComponentChildren
}

/** A dialog that has an address: closing it leads back to the address of the view. */
export const AddressDialog = (props: AddressDialogProps) => <Dialog {...props} onClose={closeOverlay} />
