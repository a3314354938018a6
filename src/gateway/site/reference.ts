/** The API reference: the OpenAPI document as one HTML page, without scripts or external resources. */
import {
  type Attributes,
  element,
  empty,
  escapeCode,
  escapeLines,
  type Html,
  html,
  joinHtml,
} from '../../domain/html/html.js'
import { siteUrl } from '../../domain/markdown/link-urls.js'
import { type Page, pageLayout } from '../http/html-page.js'
import { mapInPieces } from './map-in-pieces.js'

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
  default?: unknown
  description?: string
  title?: string
}

interface Media {
  schema: Schema
}

interface Operation {
  operationId: string
  summary: string
  description: string
  parameters: {
    name: string
    in: string
    required: boolean
    description?: string
    schema?: Schema
    content?: Record<string, Media>
  }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { description: string; content?: Record<string, Media> }>
}

interface Document {
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const methods = ['get', 'post', 'patch', 'put', 'delete']

/** Renders the reference page. @param document an OpenAPI document from openapi.ts */
export const renderReferencePage = async (document: object): Promise<Page> => {
  const { info, paths, components } = document as Document
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [{ method: method.toUpperCase(), path, operation }]
    }),
  )
  const events = Object.entries(components.schemas).filter(([name]) => name.startsWith('Event.'))
  return layout(
    `${info.title} API`,
    html`<nav>
<h1>${escapeCode(info.title)}</h1>
<p>Feature level ${escapeCode(info.version)} · <a href="/api/v1/openapi.json">openapi.json</a></p>
<ul>${joinHtml(operations.map(renderOperationLink))}</ul>
<h2>Events</h2>
<ul>${joinHtml(events.map(([name]) => renderLink(name, escapeCode(name.slice('Event.'.length)))))}</ul>
</nav>
<main>
${element('section', {}, renderParagraphs(info.description))}
${joinHtml(await mapInPieces(operations, renderOperation))}
${joinHtml(await mapInPieces(events, renderEvent))}
</main>`,
  )
}

const layout = pageLayout(html`
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; display: flex; color: #222; background: #fff }
nav { width: 20rem; height: 100vh; overflow: auto; position: sticky; top: 0; padding: 1rem; box-sizing: border-box; background: #f5f5f5 }
nav ul { list-style: none; padding: 0; font-size: 13px } nav a { color: inherit; text-decoration: none }
main { padding: 1rem 2rem; max-width: 60rem; min-width: 0 } section { border-bottom: 1px solid #ddd; padding: 1rem 0 }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-top: 1px solid #eee }
code { background: #f0f0f0; padding: 0 .2em } h2 code { background: none }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1c1c1c } nav { background: #252525 } code { background: #333 } section, td, th { border-color: #333 } a { color: #8ab4f8 } }
`)

interface NamedOperation {
  method: string
  path: string
  operation: Operation
}

const renderOperationLink = ({ method, path, operation }: NamedOperation): Html =>
  renderLink(operation.operationId, html`<b>${escapeCode(method)}</b> ${escapeCode(path)}`)

const renderLink = (id: string, text: Html): Html => html`<li>${element('a', { href: fragmentUrl(id) }, text)}</li>`

const fragmentUrl = (id: string): Attributes['href'] => siteUrl(`/api/docs#${id}`)

const renderEvent = ([name, schema]: [string, Schema]): Html =>
  element(
    'section',
    { id: name },
    html`<h2>Event ${escapeCode(schema.title ?? name)}</h2>${renderParagraphs(schema.description ?? '')}${renderFieldTable(mergeAllOf(schema))}`,
  )

const renderOperation = ({ method, path, operation }: NamedOperation): Html => {
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema
  const answer = operation.responses['200']?.content?.['application/json']?.schema
  const given = operation.parameters.map((parameter) => ({
    name: parameter.name,
    isRequired: parameter.required,
    schema: {
      ...(parameter.schema ?? parameter.content?.['application/json']?.schema ?? {}),
      ...(parameter.description === undefined ? {} : { description: parameter.description }),
    },
    location: parameter.in,
  }))
  const fields = listFields(body ?? {}).map((row) => ({ ...row, location: 'form' }))
  const parameters = [...given, ...fields]
  const failures = Object.entries(operation.responses).filter(([status]) => status !== '200')
  return element(
    'section',
    { id: operation.operationId },
    html`
<h2>${escapeCode(method)} <code>${escapeCode(path)}</code></h2>
<p>${renderInline(operation.summary)}</p>
${renderParagraphs(operation.description)}
${parameters.length === 0 ? empty : html`<h3>Parameters</h3>${renderTable(parameters)}`}
<h3>Answer</h3>${renderFieldTable(mergeAllOf(answer ?? {}))}
<h3>Errors</h3><table>${joinHtml(failures.map(renderFailure))}</table>
`,
  )
}

const renderFailure = ([status, { description }]: [string, { description: string }]): Html =>
  html`<tr><td>${escapeCode(status)}</td><td>${escapeLines(description.replaceAll('\n\n', '\n'))}</td></tr>`

interface FieldRow {
  name: string
  isRequired: boolean
  schema: Schema
  location?: string
}

const listFields = ({ properties = {}, required = [] }: Schema): FieldRow[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, isRequired: required.includes(name), schema }))

const mergeAllOf = (schema: Schema): Schema => {
  const parts = [schema, ...(schema.allOf ?? [])]
  return {
    properties: Object.assign({}, ...parts.map((part) => part.properties)),
    required: parts.flatMap((part) => part.required ?? []),
  }
}

const renderFieldTable = (schema: Schema): Html => {
  const rows = listFields(schema)
  return rows.length === 0 ? html`<p>No fields besides the envelope.</p>` : renderTable(rows)
}

const renderTable = (rows: readonly FieldRow[]): Html => html`<table>${joinHtml(rows.map(renderRow))}</table>`

const renderRow = ({ name, isRequired, schema, location }: FieldRow): Html => {
  const notes = [
    location === undefined ? '' : location,
    isRequired ? '' : 'optional',
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ].filter((note) => note !== '')
  const cells = [
    html`<code>${escapeCode(name)}</code>`,
    escapeCode(describeType(schema)),
    escapeCode(notes.join(', ')),
    renderInline(schema.description ?? ''),
  ]
  return html`<tr>${joinHtml(cells.map((cell) => html`<td>${cell}</td>`))}</tr>`
}

/** Describes a type in one line, with objects at most two levels deep. */
const describeType = (schema: Schema, depth = 0): string => {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives !== undefined) return alternatives.map((alternative) => describeType(alternative, depth)).join(' | ')
  if (schema.items !== undefined) return `${describeType(schema.items, depth)}[]`
  if (schema.properties !== undefined) {
    if (depth > 1) return 'object'
    const inner = listFields(schema).map(
      (row) => `${row.name}${row.isRequired ? '' : '?'}: ${describeType(row.schema, depth + 1)}`,
    )
    return `{ ${inner.join(', ')} }`
  }
  if (typeof schema.additionalProperties === 'object')
    return `{ [name]: ${describeType(schema.additionalProperties, depth + 1)} }`
  return [schema.type ?? 'any'].flat().join(' | ')
}

const renderParagraphs = (text: string): Html =>
  joinHtml(
    text.split('\n\n').map((part) => (part.startsWith('- ') ? renderList(part) : html`<p>${renderInline(part)}</p>`)),
  )

const renderList = (text: string): Html =>
  html`<ul>${joinHtml(text.split('\n').map((line) => html`<li>${renderInline(line.slice(2))}</li>`))}</ul>`

/** Renders text as HTML, with code between backticks as `<code>`. */
const renderInline = (text: string): Html =>
  joinHtml(
    text.split(/`([^`]+)`/).map((part, i) => (i % 2 === 1 ? html`<code>${escapeCode(part)}</code>` : escapeCode(part))),
  )
