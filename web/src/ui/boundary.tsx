/**
 * Where a fault of drawing ends: what is inside is replaced by one line, and the rest of the page goes on.
 *
 * 1. The page checks what it draws. A boundary is for the form that nobody thought of, so it reports each fault.
 * 2. What was drawn anew with other data is tried again: `of` is that data.
 */

import { Component, type ComponentChildren } from 'preact'
import { t } from '../languages/t.js'
import './boundary.css'

interface BoundaryProps {
  /** what is said in place of what cannot be drawn: `This message cannot be shown.` */
  note: string
  /** the data that is drawn: when it changes, it is drawn again */
  of?: unknown
  /** takes the place of what cannot be drawn; without it, a line with a button that tries again */
  fallback?: (() => ComponentChildren) | undefined
  children: ComponentChildren
}

interface BoundaryState {
  hasFailed: boolean
  of: unknown
}

/** Draws its children, or the line instead of them until `of` changes. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { hasFailed: false, of: this.props.of }

  static override getDerivedStateFromError(): Partial<BoundaryState> {
    return { hasFailed: true }
  }

  static override getDerivedStateFromProps({ of }: BoundaryProps, state: BoundaryState): Partial<BoundaryState> | null {
    return of === state.of ? null : { hasFailed: false, of }
  }

  override componentDidCatch(error: unknown): void {
    console.error(this.props.note, error)
  }

  #tryAgain = (): void => this.setState({ hasFailed: false })

  override render({ note, fallback, children }: BoundaryProps, { hasFailed }: BoundaryState) {
    if (!hasFailed) return children
    if (fallback !== undefined) return fallback()
    return (
      <p class="boundary-note">
        {note}{' '}
        <button type="button" class="boundary-button" onClick={this.#tryAgain}>
          {t('Try again')}
        </button>
      </p>
    )
  }
}
