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
  scopes: ['user:read', 'meeting:read'],
  requirePkce: false,
  sendIss: true,
}

const told = (changes: Partial<AppFields>) => {
  const { waiting, atOnce } = sortChanges(live, { ...live, ...changes })
  const words = ({ field, kind, item }: { field: string; kind: string; item?: string }) =>
    [field, kind, item].filter(Boolean).join(' ')
  return { waiting: waiting.map(words), atOnce: atOnce.map(words) }
}

test('nothing changed is nothing to tell', () => assert.deepEqual(told({}), { waiting: [], atOnce: [] }))

test('what people see waits, what is the developer’s own holds at once', () => {
  assert.deepEqual(told({ name: 'Acme Planner', requirePkce: true }), {
    waiting: ['name changed'],
    atOnce: ['requirePkce changed'],
  })
})

test('an address or a scope that is added waits, one that is taken away goes at once', () => {
  assert.deepEqual(
    told({ callbackUrls: ['https://acme.example/a', 'https://acme.example/c'], scopes: ['user:read'] }),
    {
      waiting: ['callbackUrls added https://acme.example/c'],
      atOnce: ['callbackUrls removed https://acme.example/b', 'scopes removed meeting:read'],
    },
  )
})

test('the last live address stays until the review of the one that replaces it', () => {
  assert.deepEqual(told({ callbackUrls: ['https://acme.example/c'] }).atOnce, [])
})
