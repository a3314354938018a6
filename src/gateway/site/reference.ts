/** The API reference: the OpenAPI document as one HTML page, without scripts or external resources. */
import { escapeQuotes as escapeHtml } from '../../domain/markdown/escape.js'

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
export const renderReferencePage = (document: object): string => {
  const { info, paths, components } = document as Document
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [{ method: method.toUpperCase(), path, operation }]
    }),
  )
  const events = Object.entries(components.schemas).filter(([name]) => name.startsWith('Event.'))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(info.title)} API</title>
<style>${style}</style>
</head>
<body>
<nav>
<h1>${escapeHtml(info.title)}</h1>
<p>Feature level ${escapeHtml(info.version)} · <a href="/api/v1/openapi.json">openapi.json</a></p>
<ul>${operations.map(({ method, path, operation }) => `<li><a href="#${escapeHtml(operation.operationId)}"><b>${method}</b> ${escapeHtml(path)}</a></li>`).join('')}</ul>
<h2>Events</h2>
<ul>${events.map(([name]) => `<li><a href="#${escapeHtml(name)}">${escapeHtml(name.slice('Event.'.length))}</a></li>`).join('')}</ul>
</nav>
<main>
<section>${renderParagraphs(info.description)}</section>
${operations.map(({ method, path, operation }) => renderOperation(method, path, operation)).join('\n')}
${events.map(([name, schema]) => `<section id="${escapeHtml(name)}"><h2>Event ${escapeHtml(schema.title ?? name)}</h2>${renderFieldTable(mergeAllOf(schema))}</section>`).join('\n')}
</main>
</body>
</html>
`
}

const style = `
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; display: flex; color: #222; background: #fff }
nav { width: 20rem; height: 100vh; overflow: auto; position: sticky; top: 0; padding: 1rem; box-sizing: border-box; background: #f5f5f5 }
nav ul { list-style: none; padding: 0; font-size: 13px } nav a { color: inherit; text-decoration: none }
main { padding: 1rem 2rem; max-width: 60rem; min-width: 0 } section { border-bottom: 1px solid #ddd; padding: 1rem 0 }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-top: 1px solid #eee }
code { background: #f0f0f0; padding: 0 .2em } h2 code { background: none }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1c1c1c } nav { background: #252525 } code { background: #333 } section, td, th { border-color: #333 } a { color: #8ab4f8 } }
`

const renderOperation = (method: string, path: string, operation: Operation): string => {
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
  const failures = Object.entries(operation.responses).filter(([status]) => status !== '200')
  return `<section id="${escapeHtml(operation.operationId)}">
<h2>${method} <code>${escapeHtml(path)}</code></h2>
<p>${renderInline(operation.summary)}</p>
${renderParagraphs(operation.description)}
${given.length + fields.length === 0 ? '' : `<h3>Parameters</h3>${renderTable([...given, ...fields])}`}
<h3>Answer</h3>${renderFieldTable(mergeAllOf(answer ?? {}))}
<h3>Errors</h3><table>${failures.map(([status, { description }]) => `<tr><td>${status}</td><td>${escapeHtml(description).replaceAll('\n\n', '<br>')}</td></tr>`).join('')}</table>
</section>`
}

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

const renderFieldTable = (schema: Schema): string => {
  const rows = listFields(schema)
  return rows.length === 0 ? '<p>No fields besides the envelope.</p>' : renderTable(rows)
}

const renderTable = (rows: readonly FieldRow[]): string =>
  `<table>${rows
    .map(({ name, isRequired, schema, location }) => {
      const notes = [
        location === undefined ? '' : location,
        isRequired ? '' : 'optional',
        schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
      ].filter((note) => note !== '')
      return `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(describeType(schema))}</td><td>${escapeHtml(notes.join(', '))}</td><td>${renderInline(schema.description ?? '')}</td></tr>`
    })
    .join('')}</table>`

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

const renderParagraphs = (text: string): string =>
  text
    .split('\n\n')
    .map((part) =>
      part.startsWith('- ')
        ? `<ul>${part
            .split('\n')
            .map((line) => `<li>${renderInline(line.slice(2))}</li>`)
            .join('')}</ul>`
        : `<p>${renderInline(part)}</p>`,
    )
    .join('')

/** Renders text as HTML, with code between backticks as `<code>`. */
const renderInline = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
