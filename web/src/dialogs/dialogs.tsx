/** The dialogs that have an address, such as `#settings/profile`. */
import { overlay } from '../routing/location.js'

/** The dialog of the address, if it names one. */
export const Dialogs = () => {
  if (overlay.value === undefined) return null
  return null
}
