/**
 * What polls and to-do lists show: computed from the submessages of their message.
 *
 * 1. The first submessage describes the widget; each later one is an action of a user. They apply in the order of ids.
 * 2. A key names an option or a task: `canned,2` for the third one of the description, `7,1` for the one that user 7
 *    added with the number 1. All clients compute the same keys.
 * 3. An action that cannot be read, or that names what does not exist, changes nothing.
 */

/** Of a submessage, what decides. */
export interface Submessage {
  id: number
  sender_id: number
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

/** Computes what a widget shows; undefined if the message has none that is known. */
export const computeWidget = (submessages: readonly Submessage[], authorId: number): WidgetState | undefined => {
  const [first, ...actions] = [...submessages].sort((one, other) => one.id - other.id)
  if (first === undefined) return undefined
  const { widget_type: type, extra_data: data } = parse(first.content)
  const extra = (typeof data === 'object' && data !== null ? data : {}) as Values
  if (type === 'poll') return computePoll(extra, actions, authorId)
  return type === 'todo' ? computeTodo(extra, actions, authorId) : undefined
}

const parse = (content: string): Values => {
  try {
    const value: unknown = JSON.parse(content)
    return typeof value === 'object' && value !== null ? (value as Values) : {}
  } catch {
    return {}
  }
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []

const computePoll = (extra: Values, actions: readonly Submessage[], authorId: number): WidgetState => {
  let question = String(extra.question ?? '')
  const options = new Map<string, { key: string; text: string; voters: Set<number> }>()
  const add = (key: string, text: string) => {
    const isKnown = [...options.values()].some((option) => option.text === text)
    if (!isKnown) options.set(key, { key, text, voters: new Set() })
  }
  for (const [index, text] of texts(extra.options).entries()) add(`canned,${index}`, text)
  for (const { sender_id: sender, content } of actions) {
    const action = parse(content)
    if (action.type === 'new_option' && typeof action.option === 'string') add(`${sender},${action.idx}`, action.option)
    else if (action.type === 'question' && sender === authorId) question = String(action.question)
    else if (action.type === 'vote') {
      const voters = options.get(String(action.key))?.voters
      if (action.vote === 1) voters?.add(sender)
      else voters?.delete(sender)
    }
  }
  return { type: 'poll', question, options: [...options.values()] }
}

const computeTodo = (extra: Values, actions: readonly Submessage[], authorId: number): WidgetState => {
  let title = String(extra.task_list_title ?? '')
  const tasks = new Map<string, Task>()
  const add = (key: string, { task, desc, completed }: Values) => {
    if (typeof task !== 'string' || [...tasks.values()].some(({ text }) => text === task)) return
    tasks.set(key, { key, text: task, description: typeof desc === 'string' ? desc : '', isDone: completed === true })
  }
  const given = Array.isArray(extra.tasks) ? (extra.tasks as Values[]) : []
  for (const [index, task] of given.entries()) add(`canned,${index}`, task)
  for (const { sender_id: sender, content } of actions) {
    const action = parse(content)
    if (action.type === 'new_task') add(`${sender},${action.key}`, action)
    else if (action.type === 'new_task_list_title' && sender === authorId) title = String(action.title)
    else if (action.type === 'strike') {
      const task = tasks.get(String(action.key))
      if (task !== undefined) tasks.set(task.key, { ...task, isDone: !task.isDone })
    }
  }
  return { type: 'todo', title, tasks: [...tasks.values()] }
}

/** The next number for an option or a task that a user adds: one that the user has not used yet. */
export const nextNumber = (keys: readonly string[], userId: number): number =>
  1 + Math.max(0, ...keys.filter((key) => key.startsWith(`${userId},`)).map((key) => Number(key.split(',')[1])))
