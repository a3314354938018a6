/** A SAML provider as companies run one: it asks for a login, and answers with a form of its own site. */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { type BegunSaml, composeAnswer, composeMetadata, inflateMessage, makeSamlKey } from './saml-provider.js'

export interface HonestSamlProvider extends AsyncDisposable {
  /** the address of its metadata */
  metadata: string
  /** requests to log out that it got, in XML */
  logOuts: string[]
}

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

const renderForm = (action: string, fields: Record<string, string>, visible: string): string =>
  `<!doctype html><title>Provider</title><form method="post" action="${escapeHtml(action)}">` +
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('') +
  `${visible}<button>Continue</button></form>`

/**
 * Starts a provider on this machine. It is of another site than the chat: `localhost`, and not 127.0.0.1. Each login is
 * accepted, and is the local part of the address.
 */
export const startHonestSamlProvider = async (): Promise<HonestSamlProvider> => {
  const key = makeSamlKey()
  const logOuts: string[] = []
  const server = http.createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', at)
    const message = inflateMessage(searchParams.get('SAMLRequest') ?? 'AwA=')
    const read = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(message)?.[1] ?? ''
    response.setHeader('Content-Type', 'text/html')
    if (pathname === '/metadata') return response.end(composeMetadata([key.certificate], at))
    if (pathname === '/slo') {
      logOuts.push(message)
      const issuer = /<saml:Issuer[^>]*>([^<]*)/.exec(message)?.[1] ?? ''
      return response.writeHead(302, { Location: issuer.replace(/metadata$/, 'slo?SAMLResponse=signed') }).end()
    }
    if (pathname === '/sso') {
      const fields = {
        acs: read('AssertionConsumerServiceURL'),
        id: read(' ID'),
        state: searchParams.get('RelayState') ?? '',
      }
      return response.end(renderForm('/answer', fields, '<label>Login <input name="login"></label>'))
    }
    let body = ''
    for await (const part of request) body += part
    const { acs = '', id = '', state = '', login = '' } = Object.fromEntries(new URLSearchParams(body))
    const begun = { acs, request_id: id, entity_id: acs.replace(/acs$/, 'metadata') } as BegunSaml
    const attributes = { email: `${login}@example.com`, displayName: login }
    const xml = composeAnswer(begun, key, { name_id: login, attributes })
    const fields = { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: state }
    return response.end(renderForm(acs, fields, ''))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    metadata: `${at}/metadata`,
    logOuts,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
