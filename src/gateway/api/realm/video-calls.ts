/**
 * Video calls that the server would have to make: with services of others, of which none is set up here. Calls by
 * Jitsi need no server: clients make them by themselves. Source: endpoints.md 3.11.
 */
import { z } from 'zod'
import { errors } from '../../../domain/protocol/errors.js'
import { endpoint } from '../../http/endpoint.js'
import { bool, str } from '../../http/params.js'

const response = z.object({ url: z.string() })

export const createBigBlueButtonCall = endpoint({
  method: 'GET',
  path: '/calls/bigbluebutton/create',
  summary: 'Makes a video call with BigBlueButton. It is refused, because none is set up here.',
  access: 'account',
  params: { meeting_name: str(), voice_only: bool().default(false) },
  response,
  handle: () => {
    throw errors.badRequest('This server has no BigBlueButton: ask its operator.')
  },
})

export const createZoomCall = endpoint({
  method: 'POST',
  path: '/calls/zoom/create',
  summary: 'Makes a video call with Zoom. It is refused, because none is set up here.',
  access: 'account',
  params: { is_video_call: bool().default(true) },
  response,
  handle: () => {
    throw errors.badRequest('This server has no Zoom: ask its operator.')
  },
})
