/** The events of the API by type, as an HTML page: what each one says, its fields, and an example. */
import { element, empty, escapeCode, type Html, html, joinHtml } from '../../domain/html/html.js'
import type { Page } from '../pages/html-page.js'
import { mapInPieces } from './map-in-pieces.js'
import { composeReferencePage, renderInline } from './reference-layout.js'

interface Schema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  required?: string[]
  description?: string
  title?: string
  examples?: unknown[]
  $ref?: string
}

type Schemas = Record<string, Schema>

const PREFIX = 'Event.'

/** Renders the page. @param document an OpenAPI document from openapi.ts */
export const renderEventsPage = async (document: object): Promise<Page> => {
  const { schemas } = (document as { components: { schemas: Schemas } }).components
  const events = Object.entries(schemas)
    .filter(([name, { description }]) => name.startsWith(PREFIX) && description !== undefined)
    .map(([name, schema]) => ({ name: name.slice(PREFIX.length), schema }))
  events.sort((a, b) => (a.name < b.name ? -1 : 1))
  return composeReferencePage({
    path: '/api/docs/events',
    links: events.map(({ name }) => ({ id: name, text: name.replace('.', ': ') })),
    main: html`<h1>Events</h1>${introduction}${joinHtml(await mapInPieces(events, (event) => renderEvent(schemas, event)))}`,
  })
}

const introduction = html`<p>A client receives events from the queue that <code>POST /register</code> created, over a long
poll, an event stream or a WebSocket. Every event has an <code>id</code> and a <code>type</code>; many types have an
<code>op</code>, which is the second part of the names here. The <code>id</code> of the last event that a client has
processed is the position from which it resumes. Besides these events, every queue receives
<code>{"type": "heartbeat"}</code> when nothing else happened for a while.</p>`

const renderEvent = (schemas: Schemas, { name, schema }: { name: string; schema: Schema }): Html => {
  const [type = '', op] = name.split('.')
  return element(
    'section',
    { id: name },
    html`<h2><code>${escapeCode(type)}</code>${op === undefined ? empty : html` <code>${escapeCode(op)}</code>`}</h2>
<p>${renderInline(schema.description ?? '')}</p>
${renderFields(schemas, mergeAllOf(schemas, schema))}
${schema.examples?.[0] === undefined ? empty : html`<h3>Example</h3><pre><code>${escapeCode(JSON.stringify(schema.examples[0], null, 2))}</code></pre>`}`,
  )
}

/** The component to which a schema refers; the schema itself if it does not. */
const resolve = (schemas: Schemas, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : { ...schemas[schema.$ref.split('/').at(-1) ?? ''], ...schema }

const mergeAllOf = (schemas: Schemas, schema: Schema): Schema => {
  const parts = [schema, ...(schema.allOf ?? [])].map((part) => resolve(schemas, part))
  return {
    properties: Object.assign({}, ...parts.map((part) => part.properties)),
    required: parts.flatMap((part) => part.required ?? []),
  }
}

const renderFields = (schemas: Schemas, schema: Schema): Html =>
  html`<table>${joinHtml(listFields(schema).map((field) => renderField(schemas, field)))}</table>`

interface Field {
  name: string
  isRequired: boolean
  schema: Schema
}

const listFields = ({ properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, isRequired: required.includes(name), schema }))

const renderField = (schemas: Schemas, { name, isRequired, schema }: Field): Html =>
  html`<tr><td><code>${escapeCode(name)}</code></td><td>${escapeCode(describeType(schemas, schema))}</td><td>${escapeCode(isRequired ? '' : 'optional')}</td><td>${renderInline(resolve(schemas, schema).description ?? '')}</td></tr>`

/** Describes a type in one line, with objects at most two levels deep. */
const describeType = (schemas: Schemas, input: Schema, depth = 0): string => {
  const schema = resolve(schemas, input)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives !== undefined)
    return alternatives.map((alternative) => describeType(schemas, alternative, depth)).join(' | ')
  if (schema.items !== undefined) return `${describeType(schemas, schema.items, depth)}[]`
  if (schema.properties !== undefined) {
    if (depth > 1) return 'object'
    const inner = listFields(schema).map(
      (field) => `${field.name}${field.isRequired ? '' : '?'}: ${describeType(schemas, field.schema, depth + 1)}`,
    )
    return `{ ${inner.join(', ')} }`
  }
  if (typeof schema.additionalProperties === 'object')
    return `{ [name]: ${describeType(schemas, schema.additionalProperties, depth + 1)} }`
  return [schema.type ?? 'any'].flat().join(' | ')
}
