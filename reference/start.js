/**
 * The page of the API reference: Swagger UI with the OpenAPI document of this gateway.
 *
 * 1. The page loads nothing from another server: no validator, no fonts.
 * 2. A call that a reader tries has the credentials that the page shows, and no others: never the cookie of a session.
 * 3. Credentials stay in the memory of the page. On a development server the reader chooses a demo account by name.
 */
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import './style.css'

// Swagger UI has its own dark style, which it applies with this class.
const dark = matchMedia('(prefers-color-scheme: dark)')
const applyScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', applyScheme)
applyScheme()

const ui = SwaggerUI({
  url: '/api/v1/openapi.json',
  dom_id: '#reference',
  // Each resource is closed at first: two hundred open operations would take seconds to draw.
  docExpansion: 'none',
  deepLinking: true,
  filter: true,
  displayRequestDuration: true,
  requestSnippetsEnabled: false,
  // The events have a page of their own.
  defaultModelsExpandDepth: -1,
  defaultModelRendering: 'example',
  validatorUrl: null,
  persistAuthorization: false,
  plugins: [
    () => ({ wrapComponents: { RequestBody: withoutInventedValues, ParameterIncludeEmpty: withoutEmptyValues } }),
  ],
  requestInterceptor: (request) => Object.assign(request, { credentials: 'omit' }),
  onComplete: () => void offerDemoAccounts(),
})

/**
 * Fills the fields of a form with the recorded example of the endpoint, and leaves the others empty. Swagger UI would
 * send an invented value for every optional parameter.
 */
function withoutInventedValues(Original, { React }) {
  return function RequestBody(props) {
    const getSampleSchema = (schema, type, ...rest) =>
      type === false ? (schema.toJS().examples?.[0] ?? '') : props.fn.getSampleSchema(schema, type, ...rest)
    return React.createElement(Original, { ...props, fn: { ...props.fn, getSampleSchema } })
  }
}

/** Sends no field that the reader left empty, unless the reader ticks its box. */
function withoutEmptyValues(Original, { React }) {
  const isIncludedOptions = { shouldDispatchInit: false, defaultValue: false }
  return (props) => React.createElement(Original, { ...props, isIncludedOptions })
}

/** Lets the reader choose a demo account. Only development servers list their accounts. */
async function offerDemoAccounts() {
  const listed = await call('GET', '/dev_list_users')
  if (listed.result !== 'success') return
  const select = document.querySelector('#account')
  const emails = [...listed.direct_admins, ...listed.direct_users].map(({ email }) => email)
  select.replaceChildren(new Option('nobody', ''), ...emails.map((email) => new Option(email, email)))
  select.addEventListener('change', () => void useAccount(select.value))
  document.querySelector('#accounts').hidden = false
}

async function useAccount(email) {
  const state = document.querySelector('#account-state')
  if (ui.authSelectors.authorized()?.size > 0) ui.authActions.logout(['basic'])
  state.value = ''
  if (email === '') return
  const { result, msg, api_key } = await call('POST', '/dev_fetch_api_key', { username: email })
  if (result === 'success') ui.preauthorizeBasic('basic', email, api_key)
  state.value = result === 'success' ? 'The calls that you try are made with this account.' : msg
}

async function call(method, path, params) {
  const body = params === undefined ? undefined : new URLSearchParams(params)
  const answer = await fetch(`/api/v1${path}`, { method, body, credentials: 'omit' })
  return answer.json()
}
