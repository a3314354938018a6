/**
 * Widgets: polls, to-do lists and forms in messages, and the actions of users on them.
 *
 * The first submessage of a message describes its widget; every action of a user adds a submessage.
 * The server only checks submessages: clients compute the state of the widget from them.
 * Source: protocol/messages.md 3.6; protocol/endpoints.md 3.1; protocol/permissions.md 8.8.
 */
import { z } from 'zod'
import { msg, type Sentence, sentence } from '../languages/texts.js'
import { errors } from '../protocol/errors.js'

const choice = z.object({ type: z.string(), short_name: z.string(), long_name: z.string(), reply: z.string() })

const widget = z.discriminatedUnion('widget_type', [
  z.object({
    widget_type: z.literal('poll'),
    extra_data: z.object({ question: z.string(), options: z.array(z.string()) }),
  }),
  z.object({
    widget_type: z.literal('todo'),
    extra_data: z.object({
      task_list_title: z.string(),
      tasks: z.array(z.object({ task: z.string(), desc: z.string() })),
    }),
  }),
  // A form that a bot sends: a user who picks a choice answers with its text.
  z.object({
    widget_type: z.literal('zform'),
    extra_data: z.object({ type: z.literal('choices'), heading: z.string(), choices: z.array(choice) }),
  }),
])

/** The description of a widget. */
export type Widget = z.infer<typeof widget>

/** The `msg_type` of a widget's submessages. */
export const widgetMessageType = 'widget'

const widgetCommand = /^\/(poll|todo)(?=\s|$)/

/** Whether a message asks to be a widget, by its text or by widget_content. Its description can be invalid. */
export const asksForWidget = (content: string, widget_content: string | undefined): boolean =>
  widget_content !== undefined || widgetCommand.test(content)

/**
 * Parses a widget command. The command is `/poll` or `/todo` with a title, then one entry per line. Returns undefined
 * for other texts.
 */
export const parseWidgetCommand = (content: string): Widget | undefined => {
  const command = widgetCommand.exec(content)
  if (command === null) return undefined
  const [title = '', ...lines] = content.slice(command[0].length).split(/\r?\n/)
  const entries = lines.map((line) => line.trim().replace(/^[-*]/, '').trim()).filter((line) => line !== '')
  if (command[1] === 'poll') return { widget_type: 'poll', extra_data: { question: title.trim(), options: entries } }
  return { widget_type: 'todo', extra_data: { task_list_title: title.trim(), tasks: entries.map(parseTask) } }
}

const parseTask = (entry: string) => {
  const [task = '', ...desc] = entry.split(':')
  return { task: task.trim(), desc: desc.join(':').trim() }
}

interface WidgetFaultTexts {
  /** of the description as a whole */
  readonly whole: string
  /** of one of its values */
  readonly part: string
}

const parameterFaults: WidgetFaultTexts = {
  whole: msg('Invalid widget_content: it has an invalid value'),
  part: msg('Invalid widget_content: {place} has an invalid value'),
}
const submessageFaults: WidgetFaultTexts = {
  whole: msg('The first submessage must describe a widget: it has an invalid value'),
  part: msg('The first submessage must describe a widget: {place} has an invalid value'),
}

/** Parses the parameter widget_content. Throws BAD_REQUEST. */
export const parseWidget = (text: string): Widget =>
  checkWidget(parse(text, sentence('Invalid widget_content: it must be JSON.')), parameterFaults)

const checkWidget = (data: unknown, { whole, part }: WidgetFaultTexts): Widget => {
  const parsed = widget.safeParse(data)
  if (parsed.success) return parsed.data
  const place = findFault(parsed.error)
  throw errors.badRequest(place === '' ? { text: whole } : { text: part, values: { place } })
}

const vote = z.object({ type: z.literal('vote'), key: z.string(), vote: z.union([z.literal(1), z.literal(-1)]) })
const newOption = z.object({ type: z.literal('new_option'), idx: z.int(), option: z.string() })
const question = z.object({ type: z.literal('question'), question: z.string() })
const strike = z.object({ type: z.literal('strike'), key: z.string() })
const newTitle = z.object({ type: z.literal('new_task_list_title'), title: z.string() })
const newTask = z.object({
  type: z.literal('new_task'),
  key: z.int(),
  task: z.string(),
  desc: z.string(),
  completed: z.boolean(),
})

const submessageSchemas = {
  poll: z.discriminatedUnion('type', [vote, newOption, question]),
  todo: z.discriminatedUnion('type', [newTask, strike, newTitle]),
} as const

/** Submessages that only the author of the widget may send. */
const authorOnly: readonly unknown[] = ['question', 'new_task_list_title']

/** The first submessage that the author of a message sends. Any later one is an action on that widget. */
export interface WidgetDescription {
  content: string
}

/**
 * Checks the content of a submessage. Without a first one, it must describe a widget, as widget_content does.
 * @returns the content as it is stored: only what was checked, so that no client reads anything else from it.
 * Throws BAD_REQUEST for a submessage that does not fit the widget, or that only its author may send.
 */
export const checkSubmessage = (content: string, first: WidgetDescription | undefined, isAuthor: boolean): string => {
  const data = parse(content, sentence('The content of a submessage must be JSON.'))
  if (first === undefined) {
    return JSON.stringify(checkWidget(data, submessageFaults))
  }
  const widgetType = parseWidgetType(first.content)
  if (widgetType !== 'poll' && widgetType !== 'todo') {
    throw errors.badRequest('This message has neither a poll nor a to-do list.')
  }
  const parsed = submessageSchemas[widgetType].safeParse(data)
  if (!parsed.success) {
    const place = findFault(parsed.error)
    throw place === ''
      ? errors.badRequest('Invalid submessage: it has an invalid value')
      : errors.badRequest('Invalid submessage: {place} has an invalid value', { place })
  }
  if (!isAuthor && authorOnly.includes(parsed.data.type)) {
    throw errors.badRequest('Only the author of a widget can change its title.')
  }
  return JSON.stringify(parsed.data)
}

/** The kind of widget in a message's first submessage. */
const parseWidgetType = (content: string): unknown => {
  try {
    return (JSON.parse(content) as { widget_type?: unknown } | null)?.widget_type
  } catch {
    return undefined
  }
}

const parse = (text: string, refusal: Sentence): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw errors.badRequest(refusal)
  }
}

/** The path to the first invalid value; '' for the whole. */
const findFault = ({ issues: [issue] }: z.ZodError): string => issue?.path.join('.') ?? ''
