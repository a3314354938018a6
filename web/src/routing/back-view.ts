/**
 * The view to which the button "Back" of a small screen leads.
 *
 * The history of the browser also has dialogs, and entries of other sites. So the page remembers which views it showed,
 * and the button leads to the last one before the open one.
 */
import { effect, signal } from '@preact/signals'
import type { View } from './fragment.js'
import { view } from './location.js'
import { viewKey } from './views.js'

const REMEMBERED = 20

const trail = signal<readonly View[]>([])

/** Computes the views that lead to `next`. Going to the view before the open one takes the open one away. */
export const extendTrail = (views: readonly View[], next: View): readonly View[] => {
  const key = viewKey(next)
  const isAt = (index: number) => {
    const known = views.at(index)
    return known !== undefined && viewKey(known) === key
  }
  if (isAt(-1)) return [...views.slice(0, -1), next]
  if (isAt(-2)) return views.slice(0, -1)
  return [...views, next].slice(-REMEMBERED)
}

/** Remembers the views that are shown, until the returned function is called. */
export const rememberViews = (): (() => void) =>
  effect(() => {
    trail.value = extendTrail(trail.peek(), view.value)
  })

/** Returns the view before the open one. It is `home` if there is none, and undefined where the user is at home. */
export const backView = (home: View): View | undefined =>
  viewKey(view.value) === viewKey(home) ? undefined : (trail.value.at(-2) ?? home)
