/** What a form whose result goes into a text gets. */
export interface InsertionProps {
  /** the text that the result replaces; the form begins with what it says */
  text: string
  onInsert: (text: string) => void
  onClose: () => void
}
