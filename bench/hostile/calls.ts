/** Abuse by calls: guesses, documents, large requests, and calls that are expensive to answer. */
import { createServer, type Socket } from 'node:net'
import sharp from 'sharp'
import { type Abuse, formatBytes, formatForm, outsideAddress, repeat, sendOnce } from './abuse.js'
import { hostileTexts } from './texts.js'

const SUBSCRIPTIONS = '/api/v1/users/me/subscriptions'
const SIDE = 7_071

let picture: Buffer | undefined

export const pictures: Abuse = {
  name: 'interlaced pictures of 50 megapixels, five at a time',
  most_megabytes: 1_200,
  async start(target, count) {
    picture ??= await sharp({ create: { width: SIDE, height: SIDE, channels: 4, background: '#40bf65' } })
      .png({ progressive: true })
      .toBuffer()
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
    const body = Buffer.concat([Buffer.from(head), picture, Buffer.from('\r\n--b--\r\n')])
    const lines = ['Content-Type: multipart/form-data; boundary=b']
    const bytes = formatBytes(target, 'POST', '/api/v1/users/me/avatar', { body, lines })
    return repeat(target, 5, count, () => bytes)
  },
}

export const guesses: Abuse = {
  name: 'wrong keys and wrong passwords, from 20 addresses',
  most_megabytes: 450,
  async start(target, count) {
    const { user_ids } = target
    return repeat(target, 8, count, (number) => {
      const outsider = outsideAddress(number % 20)
      const username = `user${user_ids[number % user_ids.length]}@bench.invalid`
      if (number % 2 === 0) {
        return formatForm(target, '/api/v1/fetch_api_key', { username, password: `guess ${number}` }, { outsider })
      }
      const key = Buffer.from(`${username}:${'x'.repeat(32)}`).toString('base64')
      return formatBytes(target, 'GET', '/api/v1/users/me', { outsider, lines: [`Authorization: Basic ${key}`] })
    })
  },
}

export const silentWebhook: Abuse = {
  name: 'messages to a bot whose webhook never answers',
  most_megabytes: 450,
  async start(target, count) {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}))
      count('webhook')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const payload_url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`
    const bot = {
      full_name: `Hook ${process.pid}${Date.now()}`,
      short_name: `hook${Date.now()}`,
      bot_type: '3',
      payload_url,
    }
    const { body } = await sendOnce(target, formatForm(target, '/api/v1/bots', bot))
    const fields = { type: 'direct', to: `[${JSON.parse(body).user_id}]`, content: 'hello' }
    const bytes = formatForm(target, '/api/v1/messages', fields)
    const stop = repeat(target, 4, count, () => bytes)
    return async () => {
      const stopped = stop()
      server.close()
      for (const socket of sockets) socket.destroy()
      await stopped
    }
  },
}

let channels = 0
const composeChannels = (length: number): string => {
  channels += 1
  return JSON.stringify(Array.from({ length }, (_, i) => ({ name: `noise ${channels}-${i}` })))
}

export const newChannels: Abuse = {
  name: 'requests that create 1,000 channels each',
  most_megabytes: 700,
  async start(target, count) {
    return repeat(target, 2, count, () => formatForm(target, SUBSCRIPTIONS, { subscriptions: composeChannels(1_000) }))
  },
}

export const largeSubscriptions: Abuse = {
  name: 'requests that subscribe 100 users to 200 new channels',
  most_megabytes: 700,
  async start(target, count) {
    const principals = JSON.stringify(target.user_ids)
    return repeat(target, 2, count, () =>
      formatForm(target, SUBSCRIPTIONS, { subscriptions: composeChannels(200), principals }),
    )
  },
}

export const documents: Abuse = {
  name: 'the API reference and its document, in a loop',
  most_megabytes: 450,
  async start(target, count) {
    const outsider = outsideAddress(1)
    const requests = ['/api/docs', '/api/v1/openapi.json'].map((path) => formatBytes(target, 'GET', path, { outsider }))
    return repeat(target, 8, count, (number) => requests[number % 2] as Buffer)
  },
}

const MAX_LENGTH = 10_000

export const expensiveCalls: Abuse = {
  name: 'the most expensive narrows, searches, JSON and Markdown',
  most_megabytes: 600,
  async start(target, count) {
    const page = (narrow: object[], num_before = '5000') => {
      const query = new URLSearchParams({
        anchor: 'newest',
        num_before,
        num_after: '0',
        narrow: JSON.stringify(narrow),
      })
      return formatBytes(target, 'GET', `/api/v1/messages?${query}`)
    }
    const term = (operator: string, operand: string, negated = false) => ({ operator, operand, negated })
    const words = Array.from({ length: 90 }, (_, i) => `tea${i}`)
    const ids = JSON.stringify(Array.from({ length: 120_000 }, (_, i) => i + 1))
    const flags = { messages: ids, op: 'add', flag: 'starred' }
    const requests = [
      page([]),
      page(words.map((word) => term('search', word, true))),
      page([term('search', 'tea '.repeat(60)), ...Array.from({ length: 99 }, () => term('is', 'starred', true))]),
      page([term('search', 'note the kettle is on again'), term('topic', 'nowhere')]),
      page(words.map((word) => term('topic', word, true))),
      formatForm(target, '/api/v1/messages/flags', flags),
      formatForm(target, '/api/v1/messages/flags', { ...flags, messages: '['.repeat(500_000) }),
      formatForm(target, '/api/v1/users/me/presence', { status: 'active', junk: '[1,'.repeat(300_000) }),
      ...Object.values(hostileTexts(MAX_LENGTH)).flatMap((content) => [
        formatForm(target, '/api/v1/messages/render', { content }),
        formatForm(target, '/api/v1/messages', {
          type: 'stream',
          to: String(target.channel_id),
          topic: 'noise',
          content,
        }),
      ]),
    ]
    return repeat(target, 4, count, (number) => requests[number % requests.length] as Buffer)
  },
}
