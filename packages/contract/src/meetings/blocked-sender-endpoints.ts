import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { statusReply, timestamp } from '../value.ts'

/** More people than anyone blocks by hand; the limit bounds the rows of one account. */
export const maxBlockedSenders = 500

const blockedSender = Type.Object({
  userId: Type.String({ description: 'Account that is blocked' }),
  name: Type.String({ description: 'First name of the sender' }),
  lname: Type.String({ description: 'Last name of the sender' }),
  email: Type.String({ description: 'Address of the sender, as their meetings show it to invited people' }),
  blockedOn: timestamp({ description: 'When the caller blocked the sender' }),
})

export const blockSender = endpoint({
  name: 'blockSender',
  method: 'POST',
  path: '/api/blocked-senders',
  tag: 'Meetings',
  summary: 'Block the host of a meeting to which you are invited',
  description:
    'Meetings of this host leave your lists, calendar address, conflicts and free time, and no invitation, update, ' +
    'cancellation or reminder of them is mailed to you. The host is not told. You can still join by link and PIN. ' +
    'Blocking again changes nothing.',
  access: 'session',
  cost: 'query',
  body: Type.Object({
    meetingId: Type.String({ maxLength: 64, description: '`_id` of a meeting of this host to which you are invited' }),
  }),
  example: { meetingId: '019aa4c2-6f00-7000-8000-3ee714600003' },
  reply: blockedSender,
  problems: ['meeting_not_found', 'forbidden', 'too_many_blocked'],
})

export const listBlockedSenders = endpoint({
  name: 'listBlockedSenders',
  method: 'GET',
  path: '/api/blocked-senders',
  tag: 'Meetings',
  summary: 'List the hosts whom you have blocked',
  access: 'session',
  cost: 'light',
  reply: Type.Object({
    blockedSenders: Type.Array(blockedSender, { description: `The latest first; at most ${maxBlockedSenders}` }),
  }),
  problems: [],
})

export const unblockSender = endpoint({
  name: 'unblockSender',
  method: 'DELETE',
  path: '/api/blocked-senders/:userId',
  tag: 'Meetings',
  summary: 'Unblock a host',
  description:
    'Their meetings are in your lists again. Emails that were not sent in the meantime stay unsent; the next change of a ' +
    'meeting is mailed to you again.',
  access: 'session',
  cost: 'query',
  params: Type.Object({ userId: Type.String({ description: '`userId` in the list of blocked hosts' }) }),
  reply: statusReply,
  problems: ['sender_not_blocked'],
})
