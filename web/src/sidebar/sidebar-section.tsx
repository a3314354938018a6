import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Icon } from '../ui/icon.js'

const KEY = 'parley.closed-sections'

/** The sections that the user closed in this browser. */
const closed = signal<ReadonlySet<string>>(new Set(JSON.parse(localStorage.getItem(KEY) ?? '[]') as string[]))

const toggle = (id: string): void => {
  const next = new Set(closed.value)
  if (!next.delete(id)) next.add(id)
  closed.value = next
  localStorage.setItem(KEY, JSON.stringify([...next]))
}

interface SidebarSectionProps {
  id: string
  title: string
  /** stays visible while the section is closed */
  summary?: ComponentChildren
  children: ComponentChildren
}

/** A part of the sidebar with a title, which can be closed. */
export const SidebarSection = ({ id, title, summary, children }: SidebarSectionProps) => {
  const isOpen = !closed.value.has(id)
  return (
    <div class="sidebar-section">
      <h2 class="sidebar-heading">
        <button type="button" aria-expanded={isOpen} onClick={() => toggle(id)}>
          <Icon name={isOpen ? 'down' : 'right'} size={14} />
          <span class="sidebar-label">{title}</span>
          {!isOpen && summary}
        </button>
      </h2>
      {isOpen && children}
    </div>
  )
}
