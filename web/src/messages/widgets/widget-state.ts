/**
 * What polls and to-do lists show: computed from the submessages of their message.
 *
 * 1. The first submessage, which is the author's, describes the widget; each later one is an action of a user. They
 *    apply in the order of ids. A description that is not complete makes no widget: the message keeps its text.
 * 2. A key names an option or a task: `canned,2` for the third one of the description, `7,1` for the one that user 7
 *    added with the number 1. All clients compute the same keys.
 * 3. An action that cannot be read, or that names what does not exist, changes nothing.
 */

/** Of a submessage, what decides. */
export interface Submessage {
  id: number
  sender_id: number
  msg_type: string
  content: string
}

export interface PollOption {
  key: string
  text: string
  voters: ReadonlySet<number>
}

export interface Task {
  key: string
  text: string
  description: string
  isDone: boolean
}

/** What a widget shows. */
export type WidgetState =
  | { type: 'poll'; question: string; options: readonly PollOption[] }
  | { type: 'todo'; title: string; tasks: readonly Task[] }

type Values = Record<string, unknown>

/** Computes what a widget shows. Undefined if the message has no widget that is known and complete. */
export const computeWidget = (submessages: readonly Submessage[], authorId: number): WidgetState | undefined => {
  const ordered = submessages.filter(({ msg_type }) => msg_type === 'widget').sort((one, other) => one.id - other.id)
  const [first, ...actions] = ordered
  if (first === undefined || first.sender_id !== authorId) return undefined
  const { widget_type: type, extra_data: data } = parse(first.content)
  // Older servers describe an empty widget by an empty text, or by nothing.
  const extra = data === undefined || data === null || data === '' ? {} : asRecord(data)
  if (extra === undefined) return undefined
  if (type === 'poll') return computePoll(extra, actions, authorId)
  return type === 'todo' ? computeTodo(extra, actions, authorId) : undefined
}

const asRecord = (value: unknown): Values | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : undefined

const parse = (content: string): Values => {
  try {
    return asRecord(JSON.parse(content)) ?? {}
  } catch {
    return {}
  }
}

/** The value as a text; an empty text without a value, and undefined for what is no text. */
const textOf = (value: unknown = ''): string | undefined => (typeof value === 'string' ? value : undefined)

/** The value as a list; an empty list without a value, and undefined for what is no list. */
const listOf = (value: unknown = []): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined)

const computePoll = (extra: Values, actions: readonly Submessage[], authorId: number): WidgetState | undefined => {
  const given = listOf(extra.options)
  let question = textOf(extra.question)
  if (question === undefined || given?.every((option) => typeof option === 'string') !== true) return undefined
  const options = new Map<string, { key: string; text: string; voters: Set<number> }>()
  const texts = new Set<string>()
  const add = (key: string, text: string) => {
    if (!texts.has(text)) options.set(key, { key, text, voters: new Set() })
    texts.add(text)
  }
  for (const [index, text] of given.entries()) add(`canned,${index}`, text as string)
  for (const { sender_id: sender, content } of actions) {
    const action = parse(content)
    if (action.type === 'new_option' && typeof action.option === 'string' && Number.isInteger(action.idx)) {
      add(`${sender},${action.idx}`, action.option)
    } else if (action.type === 'question' && sender === authorId) question = textOf(action.question) ?? question
    else if (action.type === 'vote' && typeof action.key === 'string') {
      const voters = options.get(action.key)?.voters
      if (action.vote === 1) voters?.add(sender)
      else if (action.vote === -1) voters?.delete(sender)
    }
  }
  return { type: 'poll', question, options: [...options.values()] }
}

const computeTodo = (extra: Values, actions: readonly Submessage[], authorId: number): WidgetState | undefined => {
  const given = listOf(extra.tasks)?.map(asRecord)
  let title = textOf(extra.task_list_title)
  if (title === undefined || given?.every((task) => typeof task?.task === 'string') !== true) return undefined
  const tasks = new Map<string, Task>()
  const texts = new Set<string>()
  const add = (key: string, { task, desc, completed }: Values) => {
    if (typeof task !== 'string' || texts.has(task)) return
    texts.add(task)
    tasks.set(key, { key, text: task, description: textOf(desc) ?? '', isDone: completed === true })
  }
  for (const [index, task] of given.entries()) add(`canned,${index}`, task ?? {})
  for (const { sender_id: sender, content } of actions) {
    const action = parse(content)
    if (action.type === 'new_task' && Number.isInteger(action.key)) add(`${sender},${action.key}`, action)
    else if (action.type === 'new_task_list_title' && sender === authorId) title = textOf(action.title) ?? title
    else if (action.type === 'strike' && typeof action.key === 'string') {
      const task = tasks.get(action.key)
      if (task !== undefined) tasks.set(task.key, { ...task, isDone: !task.isDone })
    }
  }
  return { type: 'todo', title, tasks: [...tasks.values()] }
}

/** Returns the next number for an option or a task that a user adds. It is a number that the user has not used yet. */
export const nextNumber = (keys: readonly string[], userId: number): number =>
  1 + Math.max(0, ...keys.filter((key) => key.startsWith(`${userId},`)).map((key) => Number(key.split(',')[1])))
