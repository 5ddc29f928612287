import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { photoUrl } from './meetings/meeting-reply.ts'
import {
  afterCursor,
  choice,
  emailAddress,
  noContent,
  nullableText,
  pageFields,
  pageSize,
  plainText,
  statusReply,
  timestamp,
} from './value.ts'

const account = Type.Object({
  _id: Type.String({ description: 'User id' }),
  email: Type.String({ description: 'Email address, with which the person signs in' }),
  emailVerified: Type.Boolean({ description: 'Whether the person has proven that the address is theirs' }),
  name: Type.String({ description: 'First name' }),
  lname: Type.String({ description: 'Last name; may be empty' }),
  tenantId: Type.String({ description: 'Id of the organisation' }),
  admin: Type.Boolean({ description: 'Whether the person administers the organisation' }),
  reviewer: Type.Boolean({ description: 'Whether the person reviews apps' }),
  oauthEnabled: Type.Boolean({ description: 'Whether the person may register OAuth apps (Beta)' }),
  oauthRequest: Type.Unsafe<{ reason: string; requestedOn: string } | null>({
    description: 'Why the person asked for OAuth (Beta); null when no request waits for an answer',
    type: ['object', 'null'],
    properties: {
      reason: Type.String({ description: 'What the person wrote' }),
      requestedOn: timestamp({ description: 'When the person asked' }),
    },
    required: ['reason', 'requestedOn'],
  }),
  disabled: Type.Boolean({ description: 'Whether the account is disabled: no one can sign in with it' }),
  createdOn: timestamp({ description: 'When the account was made' }),
})
export type AccountSummary = Static<typeof account>

/** The path of one account, for administrators. */
export const accountPath = Type.Object({ userId: Type.String({ description: 'User id of the account' }) })

export const accountSorts = ['createdOn', 'name', 'lastSeenOn', 'meetings'] as const
export type AccountSort = (typeof accountSorts)[number]

export const accountKinds = ['admin', 'reviewer', 'oauthEnabled', 'unconfirmed', 'disabled'] as const
export type AccountKind = (typeof accountKinds)[number]

const listedAccount = Type.Object({
  ...account.properties,
  avatar: Type.Integer({ description: 'Number of the portrait that the person has chosen' }),
  photoUrl,
  lastSeenOn: nullableText({
    format: 'date-time',
    description:
      'When the person was last signed in and used the service, to the hour; null when never. Requests of apps and of ' +
      'personal tokens do not count.',
  }),
  meetings: Type.Integer({ description: 'How many meetings that are not cancelled the person has scheduled' }),
})

export const listAccounts = endpoint({
  name: 'listAccounts',
  method: 'GET',
  path: '/api/admin/accounts',
  tag: 'Administration',
  summary: "List your organisation's accounts, the oldest first unless sorted otherwise",
  access: 'administrator',
  cost: 'heavy',
  query: Type.Object({
    limit: pageSize(200, 50),
    after: afterCursor,
    q: Type.Optional(Type.String({ maxLength: 250, description: 'Part of the name or the address, in any case' })),
    only: Type.Optional(
      choice(accountKinds, {
        description: 'Only accounts with this right, whose address is not confirmed, or that are disabled',
      }),
    ),
    sort: Type.Optional(choice(accountSorts, { default: 'createdOn', description: 'By what the accounts are sorted' })),
    order: Type.Optional(
      choice(['asc', 'desc'], {
        default: 'asc',
        description: 'From the smallest to the largest, or the other way; never seen is before any time',
      }),
    ),
  }),
  reply: Type.Object({
    totalCount: Type.Integer({ description: 'How many accounts there are on all pages' }),
    ...pageFields,
    accounts: Type.Array(listedAccount, { description: 'The accounts of this page' }),
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
  cost: 'light',
  params: accountPath,
  body: Type.Object({
    admin: Type.Optional(Type.Boolean({ description: 'Whether the person administers the organisation' })),
    reviewer: Type.Optional(Type.Boolean({ description: 'Whether the person reviews apps' })),
    oauthEnabled: Type.Optional(Type.Boolean({ description: 'Whether the person may register OAuth apps (Beta)' })),
    disabled: Type.Optional(Type.Boolean({ description: 'Whether the account is disabled' })),
  }),
  example: { oauthEnabled: true },
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
  cost: 'query',
  reply: Type.Object({
    totalCount: Type.Integer({ description: 'How many people wait' }),
    accounts: Type.Array(account, { description: 'At most 100 of them, the oldest request first' }),
  }),
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
  cost: 'light',
  params: accountPath,
  body: Type.Object({
    reason: Type.Optional(plainText(1_000, 'Why, for the person; at most 1,000 characters')),
  }),
  example: { reason: 'Use the app that we have.' },
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
    'Mails a link that is good for 7 days. Needed where SIGN_UP is `invite`; works wherever it is not `closed`. Where no ' +
    'email leaves the service (`mailIsSent` of `GET /api/service`), the reply has the link, to be passed on by hand.',
  access: 'administrator',
  cost: 'light',
  body: Type.Object({ email: emailAddress({ description: 'The address to invite' }) }),
  example: { email: 'colleague@example.org' },
  reply: Type.Object({
    ...statusReply.properties,
    link: Type.Optional(
      Type.String({
        format: 'uri',
        description:
          'Signs up with the address; keep it as you would a password. Only where no email leaves the service and ' +
          'addresses need no confirmation, for addresses of the own organisation.',
      }),
    ),
  }),
  replyStatuses: [202],
  problems: ['sign_up_closed', 'too_many_requests'],
})

const accountInvitation = Type.Object({
  _id: Type.String({ description: 'Id of the invitation' }),
  email: Type.String({ description: 'The invited address' }),
  invitedBy: Type.String({ description: 'Name of the administrator who invited last' }),
  createdOn: timestamp({ description: 'When the address was invited last' }),
  expiresOn: timestamp({ description: 'Until when its link works' }),
})
export type AccountInvitation = Static<typeof accountInvitation>

export const listAccountInvitations = endpoint({
  name: 'listAccountInvitations',
  method: 'GET',
  path: '/api/admin/invitations',
  tag: 'Administration',
  summary: 'List the invitations to sign up that wait, the latest first',
  description:
    'One for each address that an administrator of your organisation has invited, until it is used, revoked or has ' +
    'expired. At most 500; `totalCount` counts all of them. Invite the address again to send a new link.',
  access: 'administrator',
  cost: 'query',
  reply: Type.Object({
    totalCount: Type.Integer({ description: 'How many addresses are invited' }),
    invitations: Type.Array(accountInvitation, { description: 'At most 500 of them, the latest first' }),
  }),
  problems: [],
})

export const revokeAccountInvitation = endpoint({
  name: 'revokeAccountInvitation',
  method: 'DELETE',
  path: '/api/admin/invitations/:invitationId',
  tag: 'Administration',
  summary: 'Revoke an invitation to sign up',
  description: 'Every link that administrators of your organisation have sent to its address stops working.',
  access: 'administrator',
  cost: 'light',
  params: Type.Object({ invitationId: Type.String({ description: 'Id of the invitation' }) }),
  reply: noContent,
  replyStatuses: [204],
  problems: ['account_invitation_not_found'],
})

export const readSetUp = endpoint({
  name: 'readSetUp',
  method: 'GET',
  path: '/api/admin/set-up',
  tag: 'Administration',
  summary: 'What of the set-up of the service is done?',
  description: 'For the checklist of the pages. Each step is done by its facts, not by a mark.',
  access: 'administrator',
  cost: 'query',
  reply: Type.Object({
    mailIsSent: Type.Boolean({ description: 'Whether email leaves the service: `SMTP_URL` is set' }),
    linksArePublic: Type.Boolean({
      description: 'Whether links begin with `https` and do not lead to `localhost`: `BASE_URL` is set',
    }),
    peopleInvited: Type.Boolean({
      description: 'Whether your organisation has another account, or an invitation that waits',
    }),
    callMade: Type.Boolean({ description: 'Whether a call has taken place in a room of your organisation' }),
  }),
  problems: [],
})

export const sendTestMail = endpoint({
  name: 'sendTestMail',
  method: 'POST',
  path: '/api/admin/set-up/test-mail',
  tag: 'Administration',
  summary: 'Send yourself a test email',
  access: 'administrator',
  cost: 'light',
  reply: noContent,
  replyStatuses: [204],
  problems: ['too_many_requests'],
})
