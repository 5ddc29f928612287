import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { appId, portal } from './portal.ts'

const testers = Type.Object({
  testers: Type.Array(Type.Object({ email: Type.String() }), { description: 'At most 100' }),
})

export const listTesters = endpoint({
  name: 'listTesters',
  method: 'GET',
  path: '/api/oauth2/apps/:appId/testers',
  ...portal,
  summary: 'List who may use the sandbox beside you',
  params: appId,
  reply: testers,
  problems: ['oauth_not_enabled', 'app_not_found'],
})

export const replaceTesters = endpoint({
  name: 'replaceTesters',
  method: 'PUT',
  path: '/api/oauth2/apps/:appId/testers',
  ...portal,
  summary: 'Say who may use the sandbox beside you; sandbox tokens of the others end',
  params: appId,
  body: Type.Object({ testers: Type.Array(Type.String(), { description: 'E-mail addresses, 100 at most' }) }),
  reply: testers,
  problems: ['oauth_not_enabled', 'app_not_found'],
})
