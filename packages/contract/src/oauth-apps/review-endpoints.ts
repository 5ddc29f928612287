import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { afterCursor, choice, nullableText, pageFields, pageSize, timestamp } from '../value.ts'
import { app, appRegistrations, checkResult, reason } from './app-endpoints.ts'
import { appId } from './portal.ts'

const appOwner = Type.Object({
  _id: Type.String({ description: 'User id' }),
  name: Type.String({ description: 'First name' }),
  lname: Type.String({ description: 'Last name; may be empty' }),
  email: Type.String({ description: 'Email address' }),
})

const registration = choice(appRegistrations, {
  description: '`portal`: a developer; `metadata_document` and `dynamic`: no developer, but the client itself',
})

/** Fields that distinguish apps of developers from clients that have no account here. */
export const ofUnregistered = {
  registration,
  owner: Type.Optional(appOwner),
  clientHost: Type.Optional(
    Type.String({
      description: 'Host of the client ID metadata document, which names the client; absent for others',
      examples: ['assistant.example.com'],
    }),
  ),
}

/** One event in the history of an app. */
export const reviewLine = Type.Object({
  revision: Type.Integer({ description: 'The revision that it is about' }),
  decision: Type.String({
    description: 'What happened',
    examples: ['submitted', 'approved', 'rejected', 'on_hold', 'suspended', 'resumed'],
  }),
  reasons: Type.Array(reason, { description: 'Why; empty where no reason was given' }),
  answer: Type.Optional(Type.String({ description: 'What its developer answered to the reasons before' })),
  by: Type.String({ description: 'Who decided; empty where no person did' }),
  createdOn: timestamp({ description: 'When it happened' }),
})

const decisions = ['approved', 'rejected', 'on_hold'] as const
export type Decision = (typeof decisions)[number]

export const reviewSorts = ['submittedOn', 'name', 'kind'] as const
export type ReviewSort = (typeof reviewSorts)[number]

export const listReviews = endpoint({
  name: 'listReviews',
  method: 'GET',
  path: '/api/oauth2/reviews',
  tag: 'Reviews',
  access: 'reviewer',
  cost: 'heavy',
  summary: 'List what waits for a review, the longest waiting first unless sorted otherwise',
  query: Type.Object({
    status: Type.Optional(
      choice(['under_review', 'on_hold', 'all'], {
        default: 'under_review',
        description: 'Only apps with this status',
      }),
    ),
    limit: pageSize(200, 50),
    after: afterCursor,
    sort: Type.Optional(
      choice(reviewSorts, {
        default: 'submittedOn',
        description: 'By what the apps are sorted. `kind`: new apps, then changes of live ones',
      }),
    ),
    order: Type.Optional(
      choice(['asc', 'desc'], { default: 'asc', description: 'From the smallest to the largest, or the other way' }),
    ),
  }),
  reply: Type.Object({
    totalCount: Type.Integer({ description: 'How many apps wait on all pages' }),
    reviews: Type.Array(
      Type.Object({
        appId: Type.String({ description: '`_id` of the app' }),
        name: Type.String({ description: 'Name of the app' }),
        status: Type.String({ description: '`under_review` or `on_hold`' }),
        ...ofUnregistered,
        revision: Type.Integer({ description: 'The revision that waits' }),
        submittedOn: timestamp({ description: 'When it was submitted' }),
        isNew: Type.Boolean({ description: 'Nothing of this app has been approved before' }),
      }),
      { description: 'The apps of this page' },
    ),
    ...pageFields,
  }),
  problems: ['reviewer_required'],
})

export const readReview = endpoint({
  name: 'readReview',
  method: 'GET',
  path: '/api/oauth2/reviews/:appId',
  tag: 'Reviews',
  access: 'reviewer',
  cost: 'query',
  summary: 'Read an app as a reviewer: what changed, what was checked, what was decided before',
  params: appId,
  reply: Type.Object({
    app,
    ...ofUnregistered,
    document: Type.Optional(
      Type.Object(
        {
          url: Type.String({ description: 'Its address, which is the client id' }),
          body: Type.String({ description: 'The newest valid copy, as it was served' }),
          fetchedOn: timestamp({ description: 'When it was last seen to be the newest' }),
          failedOn: nullableText({ format: 'date-time', description: 'When a later fetch failed; null: none did' }),
          failure: nullableText({ description: 'Why it failed, as English text' }),
        },
        { description: 'The client ID metadata document; absent for other apps' },
      ),
    ),
    mayDecide: Type.Boolean({ description: 'False for your own app while there is another reviewer' }),
    revision: Type.Integer({ description: 'The revision that is shown' }),
    submittedOn: nullableText({ format: 'date-time', description: 'When it was submitted; null: it does not wait' }),
    checks: Type.Array(checkResult, { description: 'What the automatic checks found' }),
    differences: Type.Array(
      Type.Object({
        field: Type.String({ description: 'Name of the field' }),
        before: Type.Array(Type.String(), { description: 'Values in the live revision' }),
        after: Type.Array(Type.String(), { description: 'Values in this revision' }),
      }),
      { description: 'To the live revision, field by field; of a new app every field, with nothing before' },
    ),
    history: Type.Array(reviewLine, { description: 'What was decided before' }),
  }),
  problems: ['reviewer_required', 'review_not_found'],
})

export const decideReview = endpoint({
  name: 'decideReview',
  method: 'POST',
  path: '/api/oauth2/reviews/:appId',
  tag: 'Reviews',
  access: 'reviewer',
  cost: 'light',
  summary: 'Approve, reject or hold an app',
  description:
    'Who has read the review (GET) can approve what they have read and nothing else: after a change it has to be read ' +
    'again. A `revision` in the body is compared, too, whatever the decision.',
  params: appId,
  body: Type.Object({
    decision: choice(decisions, { description: 'The decision' }),
    reasons: Type.Optional(Type.Array(reason, { description: 'At least one unless approved; 20 at most' })),
    revision: Type.Optional(Type.Integer({ description: 'The revision that was looked at; another one is refused' })),
  }),
  example: { decision: 'approved' },
  reply: app,
  problems: ['reviewer_required', 'review_not_found', 'own_app', 'nothing_to_decide', 'review_changed'],
})

export const suspendApp = endpoint({
  name: 'suspendApp',
  method: 'POST',
  path: '/api/oauth2/apps/:appId/suspend',
  tag: 'Reviews',
  access: 'administrator',
  cost: 'light',
  summary: 'Stop an app at once: no consent, no refresh, and every access token answers 401',
  params: appId,
  body: Type.Object({ reasons: Type.Optional(Type.Array(reason, { description: 'Why, for its developer' })) }),
  example: { reasons: [{ code: 'other', text: 'Users complain about it.' }] },
  reply: app,
  problems: ['app_not_found', 'wrong_app_state'],
})

export const resumeApp = endpoint({
  name: 'resumeApp',
  method: 'POST',
  path: '/api/oauth2/apps/:appId/resume',
  tag: 'Reviews',
  access: 'administrator',
  cost: 'light',
  summary: 'Let a suspended app go on; what it held works again',
  params: appId,
  reply: app,
  problems: ['app_not_found', 'wrong_app_state'],
})
