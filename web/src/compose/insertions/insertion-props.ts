/** What a form whose result goes into a text gets. */
export interface InsertionProps {
  /** the text that the form is about; it begins with what that says */
  text: string
  onInsert: (text: string) => void
  onClose: () => void
}
