import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { afterCursor, choice, nullableText, pageFields, pageSize, timestamp } from '../value.ts'
import { app, appStatuses } from './app-endpoints.ts'
import { appId } from './portal.ts'
import { ofUnregistered, reviewLine } from './review-endpoints.ts'

const administeredApp = Type.Object({
  _id: Type.String({ description: 'Id of the app, for `appId`' }),
  name: Type.String({ description: 'What people know it by: the name that is live, else that of its newest revision' }),
  draftName: nullableText({ description: 'The name that is not live yet, where it is another one' }),
  status: choice(appStatuses, { description: 'Of a live app with a change: where the change stands' }),
  isLive: Type.Boolean({ description: 'People can connect it now: it was approved, and is not suspended' }),
  ...ofUnregistered,
  connectedPeople: Type.Integer({ description: 'Who lets it act for them now, without its testers' }),
  modifiedOn: timestamp({ description: 'When its developer changed it, or its status changed, last' }),
})

export const administeredAppSorts = ['createdOn', 'name', 'owner', 'status', 'modifiedOn'] as const
export type AdministeredAppSort = (typeof administeredAppSorts)[number]

export const listAdministeredApps = endpoint({
  name: 'listAdministeredApps',
  method: 'GET',
  path: '/api/admin/apps',
  tag: 'Administration',
  summary: 'List the apps that you can suspend, the oldest first unless sorted otherwise',
  description:
    'Every app that was ever submitted: of all organisations where yours runs the service, else those of your own.',
  access: 'administrator',
  cost: 'heavy',
  query: Type.Object({
    limit: pageSize(200, 50),
    after: afterCursor,
    q: Type.Optional(
      Type.String({
        maxLength: 250,
        description: 'Part of the live name, of the one that is not live yet, or of its owner’s; or a client id',
      }),
    ),
    suspended: Type.Optional(Type.Boolean({ description: 'Only those that are suspended, or only the others' })),
    sort: Type.Optional(
      choice(administeredAppSorts, {
        default: 'createdOn',
        description:
          'By what the apps are sorted. `status`: under review, on hold, rejected, draft, approved, suspended; ' +
          '`owner`: apps without a developer are before all others',
      }),
    ),
    order: Type.Optional(
      choice(['asc', 'desc'], { default: 'asc', description: 'From the smallest to the largest, or the other way' }),
    ),
  }),
  reply: Type.Object({
    totalCount: Type.Integer({ description: 'How many apps there are on all pages' }),
    ...pageFields,
    apps: Type.Array(administeredApp, { description: 'The apps of this page' }),
  }),
  problems: [],
})

export const readAdministeredApp = endpoint({
  name: 'readAdministeredApp',
  method: 'GET',
  path: '/api/admin/apps/:appId',
  tag: 'Administration',
  summary: 'Read an app that you can suspend: what is live, what is not live yet, and what was decided',
  access: 'administrator',
  cost: 'light',
  params: appId,
  reply: Type.Object({
    ...administeredApp.properties,
    live: Type.Optional(app),
    draft: Type.Optional(app),
    history: Type.Array(reviewLine, { description: 'What was decided, the newest last' }),
  }),
  problems: ['app_not_found'],
})
