import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { afterCursor, choice, pageFields, pageSize, timestamp } from './value.ts'

/** The recorded actions of an account. People see their own, administrators all. */
export const securityActions = [
  'account.created',
  'account.updated',
  'account.deleted',
  'account.exported',
  'email.verified',
  'session.begun',
  'session.ended',
  'sessions.ended',
  'sign-in.refused',
  'password.changed',
  'password.refused',
  'password.reset',
  'passkey.added',
  'passkey.removed',
  'passkey.suspected',
  'provider.connected',
  'personal-token.created',
  'personal-token.deleted',
  'calendar-feed.created',
  'calendar-feed.deleted',
  'oauth.requested',
  'oauth.declined',
  'app.consented',
  'app-test.accepted',
  'app-test.declined',
  'grant.revoked',
  'webhook.created',
  'webhook.changed',
  'webhook.secret-replaced',
  'webhook.deleted',
  // By an administrator, whom the meeting itself gives no right.
  'meeting.viewed',
  'meeting.changed',
  'meeting.cancelled',
  'meetings.viewed',
] as const

export const auditActions = [
  ...securityActions,
  'account.invited',
  'account.invitation-revoked',
  'organisation.changed',
  'organisation-logo.changed',
  'organisation-logo.removed',
  'app.created',
  'app.submitted',
  'app.edited',
  'app.deleted',
  'app.approved',
  'app.rejected',
  'app.held',
  'app.suspended',
  'app.resumed',
  'app.testers-replaced',
  'app-secret.created',
  'app-secret.retired',
  'audit-log.exported',
  'meeting.handed-over',
  'room.locked',
  'room.unlocked',
  'room.ended',
  'room.new-guests-asked',
  'room.new-guests-not-asked',
  'room.rights-changed',
  'room.breakout-rooms-opened',
  'room.breakout-rooms-closed',
  'room.participants-moved',
  'participant.removed',
  'participant.hard-mute-lifted',
  'participant.rights-changed',
  'participant.unmute-asked',
  'participant.made-cohost',
  'participant.removed-as-cohost',
  'participant.made-host',
  'participant.removed-as-host',
] as const
export type AuditAction = (typeof auditActions)[number]

const securityEntry = Type.Object({
  _id: Type.String({ description: 'Id of the entry' }),
  happenedOn: timestamp({ description: 'When it happened' }),
  action: Type.String({ description: 'What happened', examples: ['session.begun'] }),
  by: choice(['you', 'organisation', 'unknown'], {
    description:
      '`organisation`: an administrator, a reviewer or the operator; `unknown`: a person who was not signed in',
  }),
  about: Type.String({
    description:
      'What it concerns: the name of the token, the passkey or the app, or the topic of the meeting; empty where there is none',
  }),
  network: Type.String({ description: 'Where it was done from, without the last part; empty for what others did' }),
  userAgent: Type.String({ description: 'What the browser said of itself, of sign-ins; else empty' }),
})
export type SecurityEntry = Static<typeof securityEntry>

export const listSecurityLog = endpoint({
  name: 'listSecurityLog',
  method: 'GET',
  path: '/api/auth/security-log',
  tag: 'Accounts',
  summary: 'List what happened to your account, the newest first',
  description:
    'Sign-ins and refused ones are kept for 180 days, changes for good, where the operator sets no other times.',
  access: 'session',
  cost: 'heavy',
  query: Type.Object({
    limit: pageSize(100, 50),
    after: afterCursor,
  }),
  reply: Type.Object({
    ...pageFields,
    entries: Type.Array(securityEntry, { description: 'The entries of this page, the newest first' }),
  }),
  problems: [],
})

const personProperties = {
  _id: Type.String({ description: 'User id' }),
  name: Type.String({ description: 'Full name' }),
  email: Type.String({ description: 'Email address' }),
}
const person = (description: string) =>
  Type.Unsafe<{ _id: string; name: string; email: string } | null>({
    type: ['object', 'null'],
    properties: personProperties,
    required: ['_id', 'name', 'email'],
    description,
  })

const auditLogEntry = Type.Object({
  _id: Type.String({ description: 'Id of the entry' }),
  happenedOn: timestamp({ description: 'When it happened' }),
  action: Type.String({ description: 'What was done', examples: ['account.updated'] }),
  actor: person('Who did it; null where that is not known, and for the operator'),
  subject: person('To whom it was done; null where it concerns no account'),
  operator: Type.Boolean({
    description: 'Done by the operator of the service on its command line; `actor` is null then',
  }),
  about: Type.String({
    description: 'The app or the meeting that it concerns, by its name or topic of today; empty where there is none',
  }),
  address: Type.String({ description: 'IP address that it was done from; empty where there is none' }),
  detail: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'What was before and after, as each action keeps it',
  }),
})
export type AuditLogEntry = Static<typeof auditLogEntry>

const filters = {
  action: Type.Optional(choice(auditActions, { description: 'Only entries of this action' })),
  actor: Type.Optional(Type.String({ maxLength: 36, description: 'The user id of who did it' })),
  subject: Type.Optional(Type.String({ maxLength: 36, description: 'The user id of whom it was done to' })),
  fromDate: Type.Optional(timestamp({ description: 'At this time or later' })),
  toDate: Type.Optional(timestamp({ description: 'Before this time' })),
}

export const listAuditLog = endpoint({
  name: 'listAuditLog',
  method: 'GET',
  path: '/api/admin/audit-log',
  tag: 'Administration',
  summary: "List who did what in your organisation's accounts, the newest first unless sorted otherwise",
  access: 'administrator',
  cost: 'heavy',
  query: Type.Object({
    limit: pageSize(200, 50),
    after: afterCursor,
    ...filters,
    order: Type.Optional(
      choice(['asc', 'desc'], { default: 'desc', description: 'From the oldest to the newest, or the other way' }),
    ),
  }),
  reply: Type.Object({
    ...pageFields,
    entries: Type.Array(auditLogEntry, { description: 'The entries of this page, the newest first' }),
  }),
  problems: [],
})

export const exportAuditLog = endpoint({
  name: 'exportAuditLog',
  method: 'GET',
  path: '/api/admin/audit-log/export',
  tag: 'Administration',
  summary: 'Download the audit log, the newest first',
  description:
    'At most 100,000 entries; narrow the range when there are more. `ndjson` holds an entry of the list on each line; ' +
    'in `csv` a cell that a spreadsheet would compute begins with an apostrophe. That it was exported is itself logged.',
  access: 'administrator',
  cost: 'compose',
  query: Type.Object({ format: choice(['csv', 'ndjson'], { description: 'Format of the file' }), ...filters }),
  download: ['text/csv', 'application/x-ndjson'],
  reply: Type.String(),
  problems: ['export_too_large'],
})
