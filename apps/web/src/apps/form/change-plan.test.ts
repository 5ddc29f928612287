import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppFields } from '@parley/rules/oauth-apps/app-fields'
import { sortChanges } from './change-plan.ts'

const live: AppFields = {
  name: 'Acme Calendar',
  homepageUrl: 'https://acme.example/',
  policyUrl: 'https://acme.example/policy',
  logoUrl: 'https://acme.example/logo.png',
  useCase: 'scheduling',
  description: '',
  callbackUrls: ['https://acme.example/a', 'https://acme.example/b'],
  embedOrigins: [],
  scopes: ['user:read', 'meeting:read'],
  clientType: 'confidential',
  requirePkce: false,
  sendIss: true,
}

const planned = (changes: Partial<AppFields>) => {
  const { waiting, atOnce } = sortChanges(live, { ...live, ...changes })
  const words = ({ field, kind, item }: { field: string; kind: string; item?: string }) =>
    [field, kind, item].filter(Boolean).join(' ')
  return { waiting: waiting.map(words), atOnce: atOnce.map(words) }
}

test('lists nothing without a change', () => assert.deepEqual(planned({}), { waiting: [], atOnce: [] }))

test('changes that users see need a review, all others take effect at once', () => {
  assert.deepEqual(planned({ name: 'Acme Planner', requirePkce: true }), {
    waiting: ['name changed'],
    atOnce: ['requirePkce changed'],
  })
})

test('an added callback or scope needs a review, a removed one takes effect at once', () => {
  assert.deepEqual(
    planned({ callbackUrls: ['https://acme.example/a', 'https://acme.example/c'], scopes: ['user:read'] }),
    {
      waiting: ['callbackUrls added https://acme.example/c'],
      atOnce: ['callbackUrls removed https://acme.example/b', 'scopes removed meeting:read'],
    },
  )
})

test('the last live callback stays until its replacement is approved', () => {
  assert.deepEqual(planned({ callbackUrls: ['https://acme.example/c'] }).atOnce, [])
})
