import { Type } from 'typebox'
import { listHandOvers } from './account-data-endpoints.ts'
import { endpoint } from './endpoint.ts'
import { listAgenda } from './meetings/meeting-list-endpoints.ts'
import { readSession } from './profile-endpoints.ts'
import { readService } from './service-endpoints.ts'

export const readStartPage = endpoint({
  name: 'readStartPage',
  method: 'GET',
  path: '/api/start-page',
  tag: 'Meetings',
  summary: 'Read all that the start page shows first',
  description:
    'In one request what `GET /api/auth/session` and `GET /api/service` answer and, with a session, the first pages of the ' +
    'caller\u2019s meetings. Without a session there are no `meetings`.',
  access: 'visitor',
  cost: 'heavy',
  reply: Type.Object({
    ...readSession.reply.properties,
    service: readService.reply,
    meetings: Type.Optional(
      Type.Object(
        {
          hasAny: Type.Boolean({ description: 'Whether the caller has any meeting, over and cancelled ones included' }),
          ahead: listAgenda.reply,
          invitations: listAgenda.reply,
          ...listHandOvers.reply.properties,
        },
        { description: 'The first page of what is ahead, of invitations to answer, and what is offered to the caller' },
      ),
    ),
  }),
  problems: [],
})
