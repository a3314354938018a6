/** The users, channels and messages of the demo organization, as data. */
import { Role } from '../domain/log/rows.js'

export type PersonName = keyof typeof people

/** The members of the demo organization. Each key is the local part of the member's email address. */
export const people = {
  mira: { full_name: 'Mira Castellan', role: Role.owner },
  tomas: { full_name: 'Tomas Lindqvist', role: Role.administrator },
  yuki: { full_name: 'Yuki Arai', role: Role.moderator },
  priya: { full_name: 'Priya Raman', role: Role.member },
  sam: { full_name: 'Sam Okafor', role: Role.member },
  lena: { full_name: 'Lena Vogt', role: Role.member },
  noor: { full_name: 'Noor Haddad', role: Role.guest },
} as const

/** The bot belongs to the administrator. */
export const bot = { name: 'buildbot', full_name: 'Build Bot', owner: 'tomas' } as const

/** The email address of a demo account. The domain is reserved (RFC 2606), so it receives no mail. */
export const emailAddress = (name: string): string => `${name}@parley.example`

const staff = ['mira', 'tomas', 'yuki', 'priya', 'sam', 'lena'] as const satisfies PersonName[]

export interface DemoChannel {
  name: string
  description: string
  /** The first member creates the channel. */
  members: readonly [PersonName, ...PersonName[]]
  /** Further parameters of the request that creates it. */
  options: Record<string, boolean>
}

/** The channels of the demo organization. */
export const channels: readonly DemoChannel[] = [
  {
    name: 'general',
    description: 'Topics without a channel of their own',
    members: staff,
    options: { is_default_stream: true },
  },
  { name: 'engineering', description: 'How we build the product', members: staff, options: {} },
  {
    name: 'design',
    description: 'How the product looks and **feels**',
    members: ['mira', 'lena', 'priya', 'noor'],
    options: {},
  },
  {
    name: 'roadmap',
    description: 'What comes next; everyone on the web can read this channel',
    members: ['mira', 'tomas', 'yuki', 'sam'],
    options: { is_web_public: true },
  },
  {
    name: 'hiring',
    description: 'Candidates and interviews; new subscribers can read earlier messages',
    members: ['tomas', 'mira', 'yuki'],
    options: { invite_only: true, history_public_to_subscribers: true },
  },
  {
    name: 'leads',
    description: 'New subscribers can read messages from then on',
    members: ['mira', 'tomas', 'lena'],
    options: { invite_only: true, history_public_to_subscribers: false },
  },
]

/** A message to a topic of a channel, or to users. */
export interface DemoMessage {
  from: PersonName | 'bot'
  to: { channel: string; topic: string } | PersonName[]
  content: string
  /** The emoji of each user who reacts. */
  reactions?: Partial<Record<PersonName, string>>
}

const messagesInTopic = (
  channel: string,
  topic: string,
  messages: [DemoMessage['from'], string, DemoMessage['reactions']?][],
): DemoMessage[] => messages.map(([from, content, reactions]) => ({ from, to: { channel, topic }, content, reactions }))

/** The messages of the demo organization, in the order in which they are sent. */
export const history: readonly DemoMessage[] = [
  ...messagesInTopic('general', 'welcome', [
    [
      'mira',
      'Welcome, everybody! One topic per matter, please, and nobody has to read all of it. :wave:',
      { sam: 'heart', lena: 'tada' },
    ],
    ['sam', 'Hello! I sit in the corner with the plants.'],
    ['yuki', "Good morning from Osaka. I am here from 8 to 16 o'clock, your midnight.", { priya: 'wave' }],
  ]),
  ...messagesInTopic('general', 'lunch', [
    ['lena', 'The noodle place has reopened. Who is in for 12:30?', { sam: 'thumbs_up', priya: 'thumbs_up' }],
    ['priya', 'Me! @**Sam Okafor** too, he only does not know it yet.'],
    ['sam', 'I know it now.'],
  ]),
  ...messagesInTopic('engineering', 'slow search', [
    [
      'priya',
      "Search takes 900 ms for the biggest customer. The plan reads every row:\n```sql\nselect id from notes\nwhere owner_id = 7 and body like '%invoice%'\norder by id desc limit 50\n```",
    ],
    [
      'tomas',
      'A `like` with a leading `%` cannot use the index. Let us try trigrams:\n\n1. the extension\n2. a GIN index on `body`\n3. the same query again',
    ],
    ['priya', 'With the index: **11 ms**. I will write it up.', { tomas: 'rocket', mira: 'tada', sam: 'clap' }],
  ]),
  ...messagesInTopic('engineering', 'builds', [
    ['bot', 'Build 418 of `main` **failed** in 3 min 12 s: 1 of 644 tests'],
    ['sam', 'Mine. The test knew which day of the week it was; it should not.'],
    ['bot', 'Build 419 of `main` passed in 3 min 4 s', { sam: 'check' }],
  ]),
  ...messagesInTopic('design', 'empty states', [
    ['lena', 'Three drafts for the empty inbox. I lean to the second: one sentence and one button.'],
    [
      'noor',
      'The second. On a phone the picture of the first pushes the button off the screen.',
      { lena: 'thumbs_up' },
    ],
    ['mira', 'Agreed. @**Lena Vogt**, shall we show it to two customers first?'],
  ]),
  ...messagesInTopic('roadmap', 'spring', [
    [
      'mira',
      'For spring we have planned:\n\n* search that is fast for everybody\n* an import from spreadsheets\n* fewer settings',
    ],
    ['yuki', '> fewer settings\n\nI can name eleven nobody has touched in a year.', { mira: 'laughing' }],
  ]),
  ...messagesInTopic('hiring', 'second backend engineer', [
    ['tomas', 'Two candidates are through the first round. I have put their tasks into the folder.'],
    ['yuki', 'I can take both on Thursday.'],
  ]),
  ...messagesInTopic('leads', 'budget', [
    ['mira', 'The hosting bill went up by a fifth. Do we know why?'],
    ['tomas', 'Logs kept for a year. I am cutting that down to thirty days.', { mira: 'thumbs_up' }],
  ]),
  { from: 'tomas', to: ['priya'], content: 'Nice work on the search. Would you show it in the Friday round?' },
  { from: 'priya', to: ['tomas'], content: 'Gladly. Ten minutes are enough.' },
  { from: 'lena', to: ['mira', 'noor'], content: 'I have booked the small room for tomorrow at ten.' },
  { from: 'sam', to: ['sam'], content: 'Water the plants.' },
]
