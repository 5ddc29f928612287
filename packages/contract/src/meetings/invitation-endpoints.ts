import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { choice, emailAddress, statusReply, timestamp } from '../value.ts'
import { invitationResponses, occurrenceFields } from './meeting-reply.ts'
import { meetingPath } from './meeting-request.ts'

export const respondToMeeting = endpoint({
  name: 'respondToMeeting',
  method: 'POST',
  path: '/api/meeting/meetingDetails/:meetingId/response',
  tag: 'Meetings',
  summary: 'Answer an invitation',
  description:
    'Records the answer of an invited participant or a cohost, as the links in the invitation do: for all dates of a series ' +
    'or, with `occurrence`, for one, and until the meeting or that date is moved. An answer for one date stays when the ' +
    'series is answered. It can be changed as long as the date, or a date, is left. `__v` stays as it is.',
  access: 'meeting:join',
  cost: 'query',
  params: meetingPath,
  body: Type.Object({
    response: choice(invitationResponses, { description: 'Whether the caller comes' }),
    occurrence: Type.Optional(
      timestamp({
        description: '`originalStartTime` of the date of a series that is answered; the series when absent',
      }),
    ),
  }),
  example: { response: 'accepted' },
  reply: Type.Object({
    response: choice(invitationResponses, { description: 'The response that is recorded' }),
    occurrence: Type.Optional(timestamp({ description: '`originalStartTime` of the date, where one was answered' })),
  }),
  problems: [
    'meeting_not_found',
    'not_invited',
    'meeting_cancelled',
    'meeting_over',
    'occurrence_not_found',
    'occurrence_cancelled',
    'occurrence_over',
    'too_many_responses',
  ],
})

export const listTimeProposals = endpoint({
  name: 'listTimeProposals',
  method: 'GET',
  path: '/api/meeting/meetingDetails/:meetingId/proposals',
  tag: 'Meetings',
  summary: 'List the times that participants propose',
  description:
    'Proposals come from calendar programs (RFC 5546, COUNTER). To the host and cohosts; in the order in which they came, ' +
    'without those whose time has passed, and until the meeting or the date is moved.',
  access: 'meeting:read',
  cost: 'query',
  params: meetingPath,
  reply: Type.Object({
    proposals: Type.Array(
      Type.Object({
        _id: Type.String({ description: 'Id of the proposal, for `proposalId`' }),
        email: Type.String({ description: 'Email address of the participant who proposes it' }),
        occurrence: Type.Optional(
          Type.Object(occurrenceFields, { description: 'The date that it is about; the meeting when absent' }),
        ),
        startTime: timestamp({ description: 'Proposed start in UTC' }),
        endTime: timestamp({ description: 'Proposed end in UTC' }),
        comment: Type.Optional(Type.String({ description: 'What they wrote with it, as plain text' })),
        proposedOn: timestamp({ description: 'When the proposal arrived' }),
      }),
      { maxItems: 200, description: 'The proposals that stand; at most 200 in one reply' },
    ),
  }),
  problems: ['meeting_not_found', 'forbidden'],
})

export const dismissTimeProposal = endpoint({
  name: 'dismissTimeProposal',
  method: 'POST',
  path: '/api/meeting/meetingDetails/:meetingId/proposals/:proposalId/dismiss',
  tag: 'Meetings',
  summary: 'Take a proposed time off the list',
  description: 'No one is notified. The participant can propose a time again.',
  access: 'meeting:update',
  cost: 'light',
  params: Type.Object({
    ...meetingPath.properties,
    proposalId: Type.String({ description: '`_id` of the proposal, of `GET …/proposals`' }),
  }),
  reply: statusReply,
  problems: ['meeting_not_found', 'forbidden', 'proposal_not_found'],
})

export const resendInvitation = endpoint({
  name: 'resendInvitation',
  method: 'POST',
  path: '/api/meeting/meetingDetails/:meetingId/invitation',
  tag: 'Meetings',
  summary: 'Mail one participant the invitation again',
  description:
    'The mail shows the meeting as it is, under the SEQUENCE that it has. Nothing of the meeting changes. A mail goes to ' +
    'an address at most every two minutes, and within the limits of a day.',
  access: 'meeting:update',
  cost: 'query',
  params: meetingPath,
  body: Type.Object({ email: emailAddress({ description: 'Email address of an invited participant or a cohost' }) }),
  example: { email: 'colleague@example.org' },
  reply: statusReply,
  problems: [
    'meeting_not_found',
    'forbidden',
    'meeting_cancelled',
    'meeting_over',
    'mail_limited',
    'too_many_invitations',
  ],
})

export const askForAnswers = endpoint({
  name: 'askForAnswers',
  method: 'POST',
  path: '/api/meeting/meetingDetails/:meetingId/answers/request',
  tag: 'Meetings',
  summary: 'Mail those who have not answered',
  description:
    'Asks every participant and cohost who has been mailed the invitation and has not answered, each once in 24 hours at ' +
    'most, and not within two minutes of another mail. Nothing of the meeting changes. `askedOn` of a participant says ' +
    'when they were last asked. A repeated request asks no one twice.',
  access: 'meeting:update',
  cost: 'query',
  params: meetingPath,
  reply: Type.Object({
    asked: Type.Array(Type.String({ description: 'Email address, as the host wrote it' }), {
      description: 'Those who are mailed now',
    }),
  }),
  idempotent: true,
  problems: ['meeting_not_found', 'forbidden', 'meeting_cancelled', 'meeting_over', 'too_many_invitations'],
})
