/** The grammars of header values: RFC 9110 sections 5.6.6 (parameters), 8.8.3 (entity tags), 12.4.2 (weights). */

/** A value with parameters, as in Content-Type and Content-Disposition. Names are in lower case. */
export interface ParameterizedValue {
  /** in lower case */
  value: string
  parameters: ReadonlyMap<string, string>
}

// A quoted string may contain semicolons. Names and values without quotes end at white space or a semicolon.
const parameter = /;[ \t]*([^\s=;"]+)[ \t]*=[ \t]*(?:"((?:\\[\s\S]|[^"\\])*)"|([^\s;"]*))/gy
const separator = /[ \t]*(?:;[ \t]*(?=;|$))*/gy

/**
 * Parses a value with parameters. A backslash is removed only before a quote or a backslash, because some clients send
 * the paths of Windows as they are. The first parameter of a name counts. What follows an invalid parameter is ignored.
 */
export const parseParameters = (header: string): ParameterizedValue => {
  const end = header.indexOf(';')
  const value = (end === -1 ? header : header.slice(0, end)).trim().toLowerCase()
  const parameters = new Map<string, string>()
  for (let at = end; at !== -1 && at < header.length; ) {
    separator.lastIndex = at
    parameter.lastIndex = at + (separator.exec(header)?.[0].length ?? 0)
    const found = parameter.exec(header)
    if (found === null) break
    const [, name = '', quoted, plain = ''] = found
    const key = name.toLowerCase()
    if (!parameters.has(key)) parameters.set(key, quoted?.replace(/\\(["\\])/g, '$1') ?? plain)
    at = parameter.lastIndex
  }
  return { value, parameters }
}

/**
 * Whether a list of values with weights names this value with a weight above 0. The value is in lower case. `*` is not
 * a name.
 */
export const acceptsValue = (header: string, value: string): boolean =>
  header.length >= value.length &&
  header.toLowerCase().includes(value) &&
  header.split(',').some((item) => {
    const { value: name, parameters } = parseParameters(item)
    return name === value && !/^0(\.0*)?$/.test(parameters.get('q') ?? '1')
  })

/** Whether If-None-Match matches an entity tag, given without its quotes. Weak tags are compared like others. */
export const hasTag = (header: string, tag: string): boolean =>
  header.trim() === '*' || [...header.matchAll(/"([^"]*)"/g)].some(([, found]) => found === tag)
