/**
 * A chat server in the common architecture of Node: Express for the calls, Socket.IO rooms for delivery, its Redis
 * adapter for further processes, one insert per message through a pool, tokens in a map in memory, Markdown by
 * markdown-it.
 *
 * It follows the guides of these libraries. It has fewer features than Parley: no log from which a client can resume,
 * no flags, no permissions except a token. Its events are as long as Parley's.
 */
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { Redis } from 'ioredis'
import MarkdownIt from 'markdown-it'
import pg from 'pg'
import { Server, type ServerOptions } from 'socket.io'
import { serveProcedures } from '../harness/child-process.js'

/** Connections, as many as the gateway's pool has. */
const POOL = 10

/** The package is CommonJS, and its types do not know this version of ioredis. */
const { createAdapter } = createRequire(import.meta.url)('@socket.io/redis-adapter') as {
  createAdapter(publisher: Redis, subscriber: Redis): NonNullable<ServerOptions['adapter']>
}

interface Options {
  database_url: string
  redis_url: string
  /** how many tokens there are */
  users: number
}

const procedures = {
  async listen({ database_url, redis_url, users }: Options): Promise<number> {
    const pool = new pg.Pool({ connectionString: database_url, max: POOL })
    await pool.query(`
      drop table if exists express_messages;
      create table express_messages (
        id bigint generated always as identity primary key,
        channel_id int not null, sender_id int not null, topic text not null, content text not null,
        rendered_content text not null, sent_at timestamptz not null default now()
      );
      create index express_messages_channel on express_messages (channel_id, id)`)
    const tokens = new Map(Array.from({ length: users }, (_, id) => [`token-${id}`, id]))
    const markdown = new MarkdownIt()

    const app = express()
    app.use(express.urlencoded({ extended: false }))
    const server = createServer(app)
    const io = new Server(server, {
      transports: ['websocket'],
      serveClient: false,
      pingInterval: 600_000,
      adapter: createAdapter(new Redis(redis_url), new Redis(redis_url)),
    })
    io.use((socket, next) =>
      next(tokens.has(String(socket.handshake.query.token)) ? undefined : new Error('the token is unknown')),
    )
    io.on('connection', (socket) => void socket.join('channel:1'))

    app.post('/api/v1/messages', async (request, response) => {
      const sender_id = tokens.get(String(request.get('Authorization')))
      const { topic, content, to } = request.body as Record<string, string>
      if (sender_id === undefined || topic === undefined || content === undefined) {
        response.status(400).json({ result: 'error' })
        return
      }
      const rendered = markdown.render(content)
      const { rows } = await pool.query<{ id: string; sent_at: Date }>(
        `insert into express_messages (channel_id, sender_id, topic, content, rendered_content)
         values ($1, $2, $3, $4, $5) returning id, sent_at`,
        [Number(to), sender_id, topic, content, rendered],
      )
      const [row] = rows
      io.to(`channel:${to}`).emit('message', {
        ...eventFields,
        id: row?.id,
        sender_id,
        subject: topic,
        content: rendered,
      })
      response.json({ result: 'success', id: Number(row?.id) })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  },
}

/** The fields of a message event that a client shows, with values of ordinary length. */
const eventFields = {
  type: 'stream',
  stream_id: 1,
  display_recipient: 'bench',
  sender_full_name: 'Member 7 of the Bench',
  sender_email: 'user7@bench.invalid',
  avatar_url: 'https://secure.gravatar.com/avatar/0123456789abcdef0123456789abcdef?d=identicon&version=1',
  content_type: 'text/html',
  client: 'bench',
  timestamp: 1_700_000_000,
  is_me_message: false,
  reactions: [],
  submessages: [],
  topic_links: [],
  recipient_id: 1,
  flags: [],
}

export type SocketIoProcedures = typeof procedures
serveProcedures(procedures)
