/** Which servers a user's address reaches: no spelling of a private address, and no redirect to one. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openGet, openPictureGet, openPost } from '../../src/store/outgoing/outgoing-http.js'

/** A server of this machine that nobody may reach, and one that redirects to the address in its query. */
let port = 0
let redirecting = 0
const reached: string[] = []
const servers = [
  createServer((request, response) => {
    reached.push(request.url ?? '')
    response.end('secret')
  }),
  createServer((request, response) => {
    const to = new URL(request.url ?? '', 'http://x').searchParams.get('to') ?? ''
    response.writeHead(302, { Location: Buffer.from(to).toString('latin1') }).end()
  }),
] as const

beforeAll(async () => {
  // On all addresses of this machine: those of 127.0.0.0/8, and ::1.
  servers[0].listen(0, '::')
  servers[1].listen(0, '127.0.0.9')
  await Promise.all(servers.map((server) => once(server, 'listening')))
  ;[port, redirecting] = servers.map((server) => (server.address() as AddressInfo).port) as [number, number]
})
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections()
})

const hosts = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.255.255.254',
    '0',
    '0.0.0.0',
    '0x7f.1',
    '0x7f000001',
    '0177.0.0.1',
    '017700000001',
  ],
  ...[
    '2130706433',
    '127.0.0.1.',
    '127。0。0。1',
    '①②⑦.0.0.1',
    '%31%32%37.0.0.1',
    'LOCALHOST',
    'localhost',
    'localhost.',
  ],
  ...[
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
  ],
  ...[
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '169.254.169.254',
    '0xa9fea9fe',
    '10.0.0.1',
  ],
  ...[
    '172.16.0.1',
    '192.168.0.1',
    '100.64.0.1',
    '198.18.0.1',
    '192.0.0.8',
    '224.0.0.1',
    '255.255.255.255',
    'user:x@127.0.0.1',
  ],
  ...['example.com@127.0.0.1', '127.0.0.1#@example.com', '127.0.0.1?@example.com', '127.0.0.1\\@example.com'],
]

/** Why a call is refused; the text of its answer if it is not. */
const outcome = (call: () => Promise<{ body: Buffer }>): Promise<string> =>
  call().then(
    ({ body }) => body.toString(),
    (error: Error) => error.message,
  )

/** A name with a dot at its end may be unknown to the system. */
const refused = / is private$|leads elsewhere|leads nowhere|too many|ENOTFOUND/

/** These contain the port: the host ends before it. */
const urls = () =>
  hosts.map((host) => {
    const end = host.search(/[#?\\]/)
    return end === -1 ? `http://${host}:${port}/x` : `http://${host.slice(0, end)}:${port}${host.slice(end)}`
  })

test('No spelling of a private address is called, by a webhook, a preview or a picture.', async () => {
  const [post, get, getPicture] = [openPost([]), openGet([]), openPictureGet([])]
  for (const url of urls()) {
    const calls = [
      () => post(url, 'application/json', '{}'),
      () => get(url, 'text/html'),
      () => getPicture(url, 'image/png'),
    ]
    for (const call of calls)
      expect([url, await outcome(async () => call())]).toEqual([url, expect.stringMatching(refused)])
  }
  expect(reached).toEqual([])
})

test('No redirect leads to a private address, or to anything but a page.', async () => {
  const getters = [openGet(['127.0.0.9']), openPictureGet(['127.0.0.9'])]
  const others = [
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
    'gopher://127.0.0.1:1/',
    'data:text/plain,x',
    'unix:/x',
    'http://',
  ]
  for (const to of [...urls(), `//127.0.0.1:${port}/x`, ...others]) {
    for (const get of getters) {
      const url = `http://127.0.0.9:${redirecting}/?to=${encodeURIComponent(to)}`
      const told = await outcome(() => get(url, 'text/html'))
      expect([to, told]).toEqual([to, expect.stringMatching(refused)])
    }
  }
  expect(reached).toEqual([])
})
