/**
 * Video calls of external services, which this server does not support: all requests are refused. Clients create Jitsi
 * calls by themselves. Source: protocol/endpoints.md 3.11.
 */
import { z } from 'zod'
import { errors } from '../../../domain/protocol/errors.js'
import { endpoint } from '../../call/endpoint.js'
import { bool, str } from '../../call/params.js'

const response = z.object({ url: z.string() })

export const createBigBlueButtonCall = endpoint({
  method: 'GET',
  path: '/calls/bigbluebutton/create',
  summary: 'Creates a BigBlueButton video call. Always refused, because this server does not support it.',
  callers: 'account',
  params: { meeting_name: str(), voice_only: bool().default(false) },
  noExample: 'It needs a server for video calls.',
  response,
  handle: () => {
    throw errors.badRequest('This server does not support BigBlueButton calls: use another provider.')
  },
})

export const createZoomCall = endpoint({
  method: 'POST',
  path: '/calls/zoom/create',
  summary: 'Creates a Zoom video call. Always refused, because this server does not support it.',
  callers: 'account',
  params: { is_video_call: bool().default(true) },
  noExample: 'It needs an account of another service.',
  response,
  handle: () => {
    throw errors.badRequest('This server does not support Zoom calls: use another provider.')
  },
})
