import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { emailAddress, nullableText, plainText, timestamp } from './value.ts'

const account = Type.Object({
  _id: Type.String(),
  email: Type.String(),
  emailVerified: Type.Boolean(),
  name: Type.String(),
  lname: Type.String(),
  tenantId: Type.String(),
  admin: Type.Boolean(),
  reviewer: Type.Boolean(),
  oauthEnabled: Type.Boolean(),
  oauthRequest: Type.Unsafe<{ reason: string; requestedOn: string } | null>({
    description: 'Why the person asked for OAuth (Beta); null when no request waits for an answer',
    type: ['object', 'null'],
    properties: { reason: Type.String(), requestedOn: timestamp() },
    required: ['reason', 'requestedOn'],
  }),
  disabled: Type.Boolean(),
  createdOn: timestamp(),
})
export type AccountSummary = Static<typeof account>

export const listAccounts = endpoint({
  name: 'listAccounts',
  method: 'GET',
  path: '/api/admin/accounts',
  tag: 'Administration',
  summary: "List your organisation's accounts, the oldest first",
  access: 'administrator',
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    after: Type.Optional(Type.String({ maxLength: 200, description: 'The `nextCursor` of the page before' })),
    q: Type.Optional(Type.String({ maxLength: 250, description: 'Part of the name or the address, in any case' })),
  }),
  reply: Type.Object({
    totalCount: Type.Integer(),
    moreAvailable: Type.Boolean(),
    nextCursor: nullableText(),
    accounts: Type.Array(account),
  }),
  problems: [],
})

export const updateAccount = endpoint({
  name: 'updateAccount',
  method: 'PUT',
  path: '/api/admin/accounts/:userId',
  tag: 'Administration',
  summary: 'Give or take roles, enable OAuth, disable an account',
  description: 'Only what the body names is changed. Disabling ends every session and token of the account at once.',
  access: 'administrator',
  params: Type.Object({ userId: Type.String() }),
  body: Type.Object({
    admin: Type.Optional(Type.Boolean()),
    reviewer: Type.Optional(Type.Boolean()),
    oauthEnabled: Type.Optional(Type.Boolean()),
    disabled: Type.Optional(Type.Boolean()),
  }),
  reply: account,
  problems: ['account_not_found', 'last_administrator', 'reviewers_elsewhere'],
})

export const listOauthRequests = endpoint({
  name: 'listOauthRequests',
  method: 'GET',
  path: '/api/admin/oauth-requests',
  tag: 'Administration',
  summary: 'List who waits for OAuth (Beta) in your organisation, the oldest request first',
  description: 'At most 100 accounts; `totalCount` counts all of them. Accept with `PUT /api/admin/accounts/{userId}`.',
  access: 'administrator',
  reply: Type.Object({ totalCount: Type.Integer(), accounts: Type.Array(account) }),
  problems: [],
})

export const declineOauthRequest = endpoint({
  name: 'declineOauthRequest',
  method: 'POST',
  path: '/api/admin/oauth-requests/:userId/decline',
  tag: 'Administration',
  summary: 'Decline a request for OAuth (Beta)',
  description: 'The person is mailed the decision with the reason, reads both in the portal, and may ask again.',
  access: 'administrator',
  params: Type.Object({ userId: Type.String() }),
  body: Type.Object({ reason: Type.Optional(plainText(1_000)) }),
  reply: account,
  problems: ['account_not_found', 'oauth_request_not_found'],
})

export const inviteAccount = endpoint({
  name: 'inviteAccount',
  method: 'POST',
  path: '/api/admin/invitations',
  tag: 'Administration',
  summary: 'Invite a person to sign up',
  description:
    'Mails a link that is good for 7 days. Needed where SIGN_UP is `invite`; works wherever it is not `closed`.',
  access: 'administrator',
  body: Type.Object({ email: emailAddress() }),
  reply: Type.Object({ status: Type.String() }),
  replyStatuses: [202],
  problems: ['sign_up_closed', 'too_many_requests'],
})
