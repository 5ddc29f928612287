import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { timestamp, token } from '../value.ts'
import { ofRoom } from './room-fields.ts'

export const createEmbedTicket = endpoint({
  name: 'createEmbedTicket',
  method: 'POST',
  path: '/api/rooms/:svcMeetId/embed-tickets',
  tag: 'Rooms',
  summary: 'Get a ticket for an embedded meeting',
  description:
    'For an app with its user’s token. The app’s page hands the ticket to the frame, where the user then asks to enter ' +
    'as everyone does, with no more scopes than the token has: the ticket says who it is, and opens nothing. It is used ' +
    'once, within 60 seconds, and only in a page of an origin that the app has registered.',
  access: 'meeting:join',
  cost: 'light',
  params: ofRoom,
  reply: Type.Object({
    ticket: Type.String({ description: 'For the frame of this meeting, by `postMessage`; never in an address' }),
    expiresOn: timestamp({ description: 'When it can be used no longer' }),
    clientId: Type.String({ description: 'The client id of the app, for the address of the frame' }),
  }),
  replyStatuses: [201],
  problems: ['app_token_required', 'too_many_requests'],
})

export const redeemEmbedTicket = endpoint({
  name: 'redeemEmbedTicket',
  method: 'POST',
  path: '/api/rooms/:svcMeetId/embed-sessions',
  tag: 'Rooms',
  summary: 'Exchange a ticket for the token of an embedded meeting',
  description: 'For the frame. A ticket that is refused is spent as well; the event log of its app says why.',
  access: 'anyone',
  cost: 'light',
  params: ofRoom,
  body: Type.Object({
    ticket: token('The ticket of `createEmbedTicket`'),
    clientId: Type.String({ maxLength: 2_048, description: 'The client id in the address of the frame' }),
    origin: Type.String({ maxLength: 2_048, description: 'The origin of the page that sent the ticket' }),
  }),
  example: { ticket: 'ticket-of-the-app', clientId: 'app_planner', origin: 'https://planner.example' },
  reply: Type.Object({
    token: Type.String({ description: 'Opens this room alone, as the user of the app; ends with the app’s tokens' }),
    expiresOn: timestamp({ description: 'When the token expires, at most twelve hours from now' }),
    name: Type.String({ description: 'Full name of the user' }),
  }),
  replyStatuses: [201],
  problems: ['embed_ticket_refused'],
})
