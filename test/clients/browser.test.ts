/** The three transports as a page of another site uses them, in a real browser. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, inject, test } from 'vitest'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { anyGateway } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { findChromium, openPage } from '../setup/web/chromium.js'

interface Answer {
  queue_id: string
  last_event_id: number
  ticket: string
}

/** What the page does, as the text of a function that runs in the browser. */
const script = async (base: string, authorization: string, user_id: number) => {
  const call = async (path: string, params: Record<string, string>) => {
    const options = { method: 'POST', headers: { Authorization: authorization }, body: new URLSearchParams(params) }
    return (await (await fetch(`${base}/api/v1${path}`, options)).json()) as Answer
  }
  const register = () => call('/register', { event_types: '["message"]', fetch_event_types: '[]' })
  const address = ({ queue_id, last_event_id }: Answer) =>
    `${base}/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`
  const contentOf = (text: string) => JSON.parse(text).message?.content

  const readEventSource = async () => {
    const queue = await register()
    const { ticket } = await call('/events/ticket', { queue_id: queue.queue_id })
    const source = new EventSource(`${address(queue)}&ticket=${ticket}`)
    await new Promise((resolve, reject) => {
      source.onopen = resolve
      source.onerror = reject
    })
    return new Promise((resolve) => {
      source.onmessage = ({ data }) => {
        if (contentOf(data) === undefined) return
        source.close()
        resolve(contentOf(data))
      }
      void call('/messages', { type: 'direct', to: `[${user_id}]`, content: 'by EventSource' })
    })
  }

  const readFetch = async () => {
    const headers = { Authorization: authorization, Accept: 'text/event-stream' }
    const { body } = await fetch(address(await register()), { headers })
    void call('/messages', { type: 'direct', to: `[${user_id}]`, content: 'by fetch' })
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    for (;;) {
      text += (await reader?.read())?.value ?? ''
      const data = /^data: (.*message.*)\n\n/m.exec(text)?.[1]
      if (data !== undefined) return contentOf(data)
    }
  }

  const openSocket = (key: string) =>
    new Promise((resolve) => {
      const url = `${base.replace('http', 'ws')}/api/v1/events?event_types=["message"]&fetch_event_types=[]`
      const socket = new WebSocket(url, ['parley.v1', `basic.${key}`])
      let first: { req: number; status: number } | undefined
      socket.onmessage = ({ data }) => {
        first = JSON.parse(data)
        if (first?.status === 200) resolve([first.req, first.status])
      }
      socket.onclose = ({ code }) => resolve([first?.req, first?.status, code])
    })

  const encoded = authorization.slice('Basic '.length).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
  const results = {
    eventSource: await readEventSource(),
    fetch: await readFetch(),
    socket: await openSocket(encoded),
    wrongKey: await openSocket(encoded.slice(0, -8)),
  }
  await fetch('/results', { method: 'POST', body: JSON.stringify(results) })
}

test('A page of another site receives events by EventSource, fetch and WebSocket, and sees why a handshake is refused.', {
  timeout: 90_000,
}, async ({ skip }) => {
  const chromium = findChromium()
  if (chromium === undefined) return skip('There is no Chromium on PATH.')
  const { realm, people } = await newQuietRealm('Ada')
  const [ada] = people
  if (ada === undefined) throw new Error('no account')
  const base = `http://${realm.host}:${new URL(anyGateway()).port}`
  const values = [base, basicAuthorization(ada), ada.user_id].map((value) => JSON.stringify(value)).join()
  const page = `<!doctype html><script>(${script})(${values}).catch(e => fetch('/results', { method: 'POST', body: JSON.stringify(String(e)) }))</script>`
  let tell: (results: unknown) => void
  const results = new Promise<unknown>((resolve) => {
    tell = resolve
  })
  const site = createServer((request, response) => {
    if (request.url !== '/results') return response.setHeader('Content-Type', 'text/html').end(page)
    let text = ''
    request.on('data', (piece) => {
      text += piece
    })
    request.on('end', () => {
      response.end()
      tell(JSON.parse(text))
    })
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const opened = openPage(chromium, `http://127.0.0.1:${(site.address() as AddressInfo).port}/`, inject('base_domain'))
  try {
    expect(await results).toEqual({
      eventSource: 'by EventSource',
      fetch: 'by fetch',
      socket: [0, 200],
      wrongKey: [0, 401, 4501],
    })
  } finally {
    await opened[Symbol.asyncDispose]()
    site.closeAllConnections()
    site.close()
    await realm[Symbol.asyncDispose]()
  }
})
