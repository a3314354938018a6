/** Icons: outlines on a grid of 20 by 20, in the colour of the text. */

const paths = {
  at: 'M13.3 10a3.3 3.3 0 1 1-6.6 0 3.3 3.3 0 0 1 6.6 0Zm0 0v1.2a2.1 2.1 0 0 0 4.2 0V10a7.5 7.5 0 1 0-3 6',
  attach: 'M15.5 9.5 9.8 15.2a3.5 3.5 0 0 1-5-5l6.4-6.4a2.4 2.4 0 0 1 3.4 3.4l-6.3 6.3a1.2 1.2 0 0 1-1.7-1.7l5.6-5.6',
  back: 'M12 4 6 10l6 6',
  bell: 'M5 13.5V9a5 5 0 0 1 10 0v4.5l1.5 1.5h-13ZM8.5 15a1.5 1.5 0 0 0 3 0',
  bookmark: 'M5.5 3.5h9V17L10 13.5 5.5 17Z',
  bold: 'M6 4h5a3 3 0 0 1 0 6H6ZM6 10h5.5a3 3 0 0 1 0 6H6Z',
  channels: 'M7.5 3 6 17M14 3l-1.5 14M3.5 7.5h14M2.5 12.5h14',
  calendar: 'M3.5 5h13v11.5h-13ZM3.5 8.5h13M7 3v3.5M13 3v3.5',
  check: 'm4 10.5 4 4 8-9',
  clock: 'M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15ZM10 6v4.2l2.8 1.7',
  close: 'M5 5l10 10M15 5 5 15',
  color: 'M10 2.8c3 3.6 4.8 6 4.8 8.5a4.8 4.8 0 0 1-9.6 0c0-2.5 1.8-4.9 4.8-8.5Z',
  code: 'm7 6-4 4 4 4M13 6l4 4-4 4',
  direct: 'M3.5 5.5a2 2 0 0 1 2-2h9a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H9l-4 3v-3a1.5 1.5 0 0 1-1.5-1.5Z',
  down: 'm5 8 5 5 5-5',
  edit: 'm4 16 1-4 8.5-8.5 3 3L8 15Z',
  feed: 'M4 5h12M4 10h12M4 15h8',
  flag: 'M5 17.5V3.5M5 4h9.5L12.5 7.5l2 3.5H5',
  follow:
    'M10 4c-4 0-6.5 3.5-7.5 6 1 2.5 3.5 6 7.5 6s6.5-3.5 7.5-6c-1-2.5-3.5-6-7.5-6Zm0 8.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Z',
  forward: 'M11 4.5 17 9.5l-6 5v-3c-4 0-6.5 1.2-8 4 .4-4.8 3-7.8 8-8Z',
  globe:
    'M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15ZM2.5 10h15M10 2.5c2 2 3 4.5 3 7.5s-1 5.5-3 7.5c-2-2-3-4.5-3-7.5s1-5.5 3-7.5Z',
  hidden:
    'M3 3l14 14M8.2 4.3A8 8 0 0 1 10 4c4 0 6.5 3.5 7.5 6a11 11 0 0 1-2.4 3.5M12.2 15.6A7 7 0 0 1 10 16c-4 0-6.5-3.5-7.5-6a11 11 0 0 1 2.7-3.8M8.4 8.4a2.2 2.2 0 0 0 3.2 3.2',
  history: 'M10 6v4l3 2M3.5 10a6.5 6.5 0 1 0 2-4.7L3.5 7.2M3.5 3.5v3.7h3.7',
  inbox:
    'M3 11.5 5 4.5a1.5 1.5 0 0 1 1.4-1h7.2a1.5 1.5 0 0 1 1.4 1l2 7v3.5a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 15Zm0 0h4l1 2h4l1-2h4',
  italic: 'M8.5 4h6M5.5 16h6M11.8 4 8.3 16',
  keyboard:
    'M2.5 6a1.5 1.5 0 0 1 1.5-1.5h12A1.5 1.5 0 0 1 17.5 6v8a1.5 1.5 0 0 1-1.5 1.5H4A1.5 1.5 0 0 1 2.5 14ZM6 12.5h8M5.5 8h.01M8.5 8h.01M11.5 8h.01M14.5 8h.01',
  link: 'M8.5 11.5a3 3 0 0 0 4.3 0l3-3a3 3 0 0 0-4.3-4.3l-1 1M11.5 8.5a3 3 0 0 0-4.3 0l-3 3a3 3 0 0 0 4.3 4.3l1-1',
  list: 'M8 5h9M8 10h9M8 15h9M3.5 5h.01M3.5 10h.01M3.5 15h.01',
  lock: 'M5 9h10v7.5H5ZM7 9V6.5a3 3 0 0 1 6 0V9',
  menu: 'M3 5.5h14M3 10h14M3 14.5h14',
  moon: 'M16.5 12A7 7 0 0 1 8 3.5a7 7 0 1 0 8.5 8.5Z',
  more: 'M5 10h.01M10 10h.01M15 10h.01',
  move: 'M3 10h13M11.5 5.5 16 10l-4.5 4.5',
  mute: 'M3 8v4h3l4 3.5v-11L6 8ZM13 8l4 4M17 8l-4 4',
  people:
    'M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2 16.5c.5-3 2.7-4.5 5.5-4.5s5 1.5 5.5 4.5M13 4a2.8 2.8 0 0 1 0 5.2M15 12.3c1.7.700 2.7 2.1 3 4.2',
  phone:
    'M5.2 3.5h2.6l1.4 3.6-1.9 1.3a9 9 0 0 0 4.3 4.3l1.3-1.9 3.6 1.4v2.6a1.7 1.7 0 0 1-1.8 1.7A12.6 12.6 0 0 1 3.5 5.3a1.7 1.7 0 0 1 1.7-1.8Z',
  pin: 'M7 3h6M8 3v5l-2.5 3h9L12 8V3M10 11v6',
  plus: 'M10 4v12M4 10h12',
  poll: 'M4 16V9M10 16V4M16 16v-5',
  quote: 'M4 5v10M8 6h9M8 10h9M8 14h6',
  right: 'm8 5 5 5-5 5',
  search: 'M9 15a6 6 0 1 0 0-12 6 6 0 0 0 0 12ZM13.5 13.5 17 17',
  send: 'M3.5 10 17 3.5 12.5 17l-2.8-5.8ZM9.7 11.2 17 3.5',
  settings:
    'M10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM10 2.5v2.2M10 15.3v2.2M2.5 10h2.2M15.3 10h2.2M4.7 4.7l1.6 1.6M13.7 13.7l1.6 1.6M15.3 4.7l-1.6 1.6M6.3 13.7l-1.6 1.6',
  smile: 'M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15ZM7 12c.7 1.2 1.7 1.8 3 1.8s2.3-.6 3-1.8M7.5 8h.01M12.5 8h.01',
  star: 'm10 2.8 2.2 4.6 5 .7-3.6 3.5.900 5-4.5-2.4-4.5 2.4.900-5L2.8 8.1l5-.7Z',
  sun: 'M10 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M15.7 4.3l-1.1 1.1M5.4 14.6l-1.1 1.1',
  video:
    'M3 6.5a1.5 1.5 0 0 1 1.5-1.5h6.5a1.5 1.5 0 0 1 1.5 1.5v7a1.5 1.5 0 0 1-1.5 1.5H4.5a1.5 1.5 0 0 1-1.5-1.5ZM12.5 9l4.5-2.8v7.6L12.5 11',
  up: 'm5 12 5-5 5 5',
  tasks: 'm3 5.5 1.3 1.3L7 4M3 13l1.3 1.3L7 11.5M10 5.5h7M10 13h7',
  trash: 'M4 6h12M8 6V4h4v2M5.5 6l.8 10.5h7.4L14.5 6',
} as const

export type IconName = keyof typeof paths

/** What points in the direction of writing, or shows lines of text: it is mirrored where lines begin at the right. */
const mirrored: ReadonlySet<IconName> = new Set<IconName>([
  'back',
  'feed',
  'forward',
  'list',
  'move',
  'quote',
  'right',
  'send',
  'tasks',
])

/** Draws an icon. The text or the label of the element around it says its meaning. */
export const Icon = ({ name, size = 18 }: { name: IconName; size?: number }) => (
  <svg
    class={mirrored.has(name) ? 'line-icon mirrored-icon' : 'line-icon'}
    viewBox="0 0 20 20"
    width={size}
    height={size}
    aria-hidden="true"
  >
    <path
      d={paths[name]}
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>
)
