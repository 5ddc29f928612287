import { type Static, type TOptional, type TString, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { type Scope, scopeNames } from '../scopes.ts'
import { choice, nullableInteger, nullableText, plainText, statusReply, timestamp, word } from '../value.ts'
import { appId, portal, portalInPerson } from './portal.ts'

export const appStatuses = ['draft', 'under_review', 'approved', 'rejected', 'on_hold', 'suspended'] as const
export type AppStatus = (typeof appStatuses)[number]

/** Where an app runs; `native` and `single_page` are public clients (RFC 6749, 2.1). */
export const clientTypes = ['confidential', 'native', 'single_page'] as const

/** How the service came to know a client: a developer's form, the client's own document, or its own request (RFC 7591). */
export const appRegistrations = ['portal', 'metadata_document', 'dynamic'] as const
export type AppRegistration = (typeof appRegistrations)[number]

export const useCases = {
  scheduling: 'Scheduling and calendars',
  crm: 'Customer relations and sales',
  education: 'Teaching and learning',
  telehealth: 'Health care',
  support: 'Customer support',
  productivity: 'Tasks, notes and documents',
  chat: 'Chat and collaboration',
  recruiting: 'Recruiting and interviews',
  internal: 'For our own organisation only',
  other: 'Something else',
} as const
export type UseCase = keyof typeof useCases

export const reasonCodes = [
  'invalid_url',
  'malicious_url',
  'suspicious_url',
  'misleading',
  'scopes_not_justified',
  'other',
] as const
export type ReasonCode = (typeof reasonCodes)[number]

export const reason = Type.Object({
  code: choice(reasonCodes, { description: 'What is wrong' }),
  field: Type.Optional(plainText(100, 'The field it is about, such as `callbackUrls`')),
  text: Type.Optional(plainText(1_000, 'Needed for `other`; at most 1,000 characters')),
})
export type Reason = Static<typeof reason>

/** The automatic checks, which the developer and the reviewer both see (docs/oauth.md, "Review"). */
export const checkResult = Type.Object({
  check: Type.String({
    description: 'Name of the check',
    examples: ['page_answers', 'look_alike_name', 'denied_host', 'plain_http', 'new_domain'],
  }),
  field: Type.String({ description: 'The field that was checked', examples: ['homepageUrl'] }),
  result: choice(['passed', 'noted', 'failed', 'not_tried'], {
    description: '`not_tried`: another finding, such as a denied host, stands in the way of this check',
  }),
  message: Type.String({ description: 'What was found, as English text' }),
})
export type CheckResult = Static<typeof checkResult>

/** The rules refuse more than 2,048 characters with a code of its own; this limit only bounds their input. */
const pageUrl = (description: string) =>
  Type.String({ maxLength: 4_096, description: `${description}: at most 2,048 characters` })

const appFields = {
  name: plainText(50, 'Name of the app: 3 to 50 characters, unlike any other app’s'),
  homepageUrl: pageUrl('Address of its page'),
  policyUrl: pageUrl('Address of its privacy policy'),
  logoUrl: pageUrl('Address of its logo, a PNG or WebP picture'),
  useCase: word({ description: 'A `code` of GET /api/oauth2/use-cases' }),
  description: plainText(500, 'What the app does: at most 500 characters; may be empty'),
  callbackUrls: Type.Array(pageUrl('Where users return to'), { description: 'Redirect URIs: 1 to 10' }),
  embedOrigins: Type.Array(pageUrl('Such as `https://app.example.org`'), {
    description: 'Origins of the pages that may embed meetings: at most 10, and empty for none',
  }),
  scopes: Type.Array(word(), {
    description: 'Scopes that the app may ask for: at least one',
    examples: [['meeting:read']],
  }),
}

export const maxScopeReasonLength = 500
export const maxReviewNotesLength = 2_000
export const maxReviewAnswerLength = 2_000

const scopeReasons = Type.Object(
  Object.fromEntries(
    scopeNames.map((scope) => [
      scope,
      Type.Optional(plainText(maxScopeReasonLength, `Why the app needs \`${scope}\`: at most 500 characters`)),
    ]),
  ) as Record<Scope, TOptional<TString>>,
  { description: 'Why the app needs each scope, by scope; reviewers read it' },
)
export type ScopeReasons = Static<typeof scopeReasons>

/** Fields that only reviewers see, besides the app's own. */
const reviewFields = {
  scopeReasons,
  reviewNotes: plainText(maxReviewNotesLength, 'How to test the app, for its reviewers; at most 2,000 characters'),
}

const answer = plainText(
  maxReviewAnswerLength,
  'The answer to the reviewer’s reasons, kept in the history; at most 2,000 characters',
)

const clientTypeOptions = {
  description:
    'Where the app runs: `confidential` on a server that keeps a secret, `native` on a device, `single_page` in the ' +
    'browser. The last two have no secret. It cannot be changed once the app was submitted',
}
const clientType = choice(clientTypes, clientTypeOptions)
const requirePkce = Type.Boolean({ description: 'Refuse requests without a challenge; true where there is no secret' })
const sendIss = Type.Boolean({ description: 'Answer `iss` on the redirect (RFC 9207)' })

const appRequest = Type.Object({
  ...appFields,
  description: Type.Optional(appFields.description),
  embedOrigins: Type.Optional(appFields.embedOrigins),
  clientType: Type.Optional(choice(clientTypes, { default: 'confidential', ...clientTypeOptions })),
  requirePkce: Type.Optional(Type.Boolean({ default: false, description: 'Refuse requests without a challenge' })),
  sendIss: Type.Optional(Type.Boolean({ default: true, description: 'Answer `iss` on the redirect (RFC 9207)' })),
  draft: Type.Optional(Type.Boolean({ default: false, description: 'Save only; submit later' })),
  scopeReasons: Type.Optional(reviewFields.scopeReasons),
  reviewNotes: Type.Optional(reviewFields.reviewNotes),
})
export type AppRequest = Static<typeof appRequest>

/** Fields that a change omits keep their values. */
const appChange = Type.Object({
  ...appRequest.properties,
  answer: Type.Optional(answer),
  clientType: Type.Optional(clientType),
  requirePkce: Type.Optional(requirePkce),
  sendIss: Type.Optional(sendIss),
  draft: Type.Optional(
    Type.Boolean({
      description: 'True saves only, false submits; when absent a draft stays one and all else is submitted',
    }),
  ),
})

export const app = Type.Object({
  _id: Type.String({ description: 'Id of the app, for `appId`' }),
  ...appFields,
  clientType,
  requirePkce,
  sendIss,
  status: choice(appStatuses, { description: 'A live app is `approved`, whatever waits beside it' }),
  draftStatus: Type.Optional(
    choice(appStatuses, { description: 'Of a live app with a change that is not live: where the change stands' }),
  ),
  reasons: Type.Array(reason, { description: 'Why the last decision was as it is; empty where none was given' }),
  ...reviewFields,
  clientId: Type.Optional(Type.String({ description: 'Once the app has passed its review' })),
  sandboxClientId: Type.String({
    description: 'Works for you and your testers from the first submission on; empty of a client without a developer',
  }),
  liveRevision: nullableInteger({ description: 'The revision that is live; null before the first approval' }),
  draftRevision: Type.Optional(Type.Integer({ description: 'A revision that is not live: saved, or under review' })),
  shownOwner: Type.Object(
    {
      name: Type.String({ description: 'Full name' }),
      organisation: nullableText({ description: 'Name of the organisation; null where it has none' }),
    },
    { description: 'What the consent page says of its owner: as it was when this revision was submitted' },
  ),
  checks: Type.Optional(
    Type.Array(checkResult, { description: 'What the pre-checks found of this revision: the same that reviewers see' }),
  ),
  createdOn: timestamp({ description: 'When the app was registered' }),
  modifiedOn: timestamp({ description: 'When it was last changed' }),
})
export type App = Static<typeof app>

export const requestOauthAccess = endpoint({
  name: 'requestOauthAccess',
  method: 'POST',
  path: '/api/oauth2/access',
  ...portal,
  cost: 'light',
  summary: 'Ask an administrator to enable OAuth (Beta) for your account',
  body: Type.Object({ reason: plainText(1_000, 'What OAuth is needed for: 1 to 1,000 characters') }),
  example: { reason: 'We plan meetings from our CRM.' },
  reply: statusReply,
  replyStatuses: [202],
  problems: [],
})

const nullableTimestamp = (description: string) =>
  nullableText({ format: 'date-time', examples: ['2026-11-23T03:30:00.000Z'], description })

export const readOauthAccess = endpoint({
  name: 'readOauthAccess',
  method: 'GET',
  path: '/api/oauth2/access',
  ...portal,
  cost: 'light',
  summary: 'Read whether OAuth (Beta) is enabled for your account, and what became of your request',
  reply: Type.Object({
    status: choice(['none', 'requested', 'declined', 'enabled'], {
      description: '`none`: not requested; `requested`: an administrator has not decided yet',
    }),
    requestedOn: nullableTimestamp('When you asked; null where there is no request, and once OAuth is enabled'),
    declinedOn: nullableTimestamp('When an administrator declined the request; else null'),
    declineReason: Type.String({ description: 'What the administrator wrote; may be empty' }),
  }),
  problems: [],
})

export const listApps = endpoint({
  name: 'listApps',
  method: 'GET',
  path: '/api/oauth2/apps',
  ...portal,
  cost: 'query',
  summary: 'List your apps',
  reply: Type.Object({ apps: Type.Array(app, { description: 'Your apps' }) }),
  problems: ['oauth_not_enabled'],
})

/** A draft, which reviewers do not see. */
const exampleApp = {
  name: 'Planner',
  homepageUrl: 'https://planner.example/',
  policyUrl: 'https://planner.example/privacy',
  logoUrl: 'https://planner.example/logo.png',
  useCase: 'scheduling',
  callbackUrls: ['http://localhost:8080/callback'],
  scopes: ['user:read', 'meeting:create', 'meeting:read'],
  draft: true,
}

export const submitApp = endpoint({
  name: 'submitApp',
  method: 'POST',
  path: '/api/oauth2/apps',
  ...portal,
  cost: 'elsewhere',
  summary: 'Register an app and submit it for review',
  body: appRequest,
  example: exampleApp,
  reply: app,
  replyStatuses: [201],
  problems: ['oauth_not_enabled', 'invalid_app', 'app_name_taken', 'too_many_apps', 'too_many_requests'],
})

export const readApp = endpoint({
  name: 'readApp',
  method: 'GET',
  path: '/api/oauth2/apps/:appId',
  ...portal,
  cost: 'light',
  summary: 'Read one of your apps: what is live, or what is not live yet',
  params: appId,
  query: Type.Object({
    revision: Type.Optional(
      choice(['live', 'draft'], { description: 'Which revision; the draft where there is one, when absent' }),
    ),
  }),
  reply: app,
  problems: ['oauth_not_enabled', 'app_not_found'],
})

export const editApp = endpoint({
  name: 'editApp',
  method: 'PUT',
  path: '/api/oauth2/apps/:appId',
  ...portal,
  cost: 'light',
  summary: 'Change an app',
  description:
    'A live app stays as it is while a changed name, description, logo or a new address or scope waits for its ' +
    'review; removing a callback or a scope takes effect at once. What may be left out stays as it is.',
  params: appId,
  body: appChange,
  example: { ...exampleApp, description: 'Plans your week' },
  reply: app,
  problems: [
    'oauth_not_enabled',
    'app_not_found',
    'invalid_app',
    'app_name_taken',
    'wrong_app_state',
    'too_many_requests',
  ],
})

export const deleteApp = endpoint({
  name: 'deleteApp',
  method: 'DELETE',
  path: '/api/oauth2/apps/:appId',
  ...portalInPerson,
  cost: 'light',
  summary: 'Delete an app; every token of it ends at once',
  params: appId,
  reply: statusReply,
  problems: ['oauth_not_enabled', 'app_not_found'],
})

export const resubmitApp = endpoint({
  name: 'resubmitApp',
  method: 'POST',
  path: '/api/oauth2/apps/:appId/submit',
  ...portal,
  cost: 'elsewhere',
  summary: 'Submit a saved or changed app for review; one that waits already goes on waiting',
  params: appId,
  body: Type.Object({ answer: Type.Optional(answer) }),
  example: { answer: 'The privacy policy is online now.' },
  reply: app,
  problems: [
    'oauth_not_enabled',
    'app_not_found',
    'invalid_app',
    'app_name_taken',
    'nothing_to_submit',
    'wrong_app_state',
    'too_many_requests',
  ],
})

export const listUseCases = endpoint({
  name: 'listUseCases',
  method: 'GET',
  path: '/api/oauth2/use-cases',
  tag: 'Apps',
  access: 'anyone',
  cost: 'none',
  summary: 'List the use cases to choose from',
  reply: Type.Object({
    useCases: Type.Array(
      Type.Object({
        code: Type.String({ description: 'The code to send as `useCase`', examples: ['scheduling'] }),
        name: Type.String({ description: 'What it means, in English' }),
      }),
      { description: 'All use cases' },
    ),
  }),
  problems: [],
})
