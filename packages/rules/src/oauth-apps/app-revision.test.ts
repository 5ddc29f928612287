import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppFields } from './app-fields.ts'
import { differencesBetween, isEqual, planEdit } from './app-revision.ts'

const live: AppFields = {
  name: 'Acme Calendar',
  homepageUrl: 'https://acme.example/',
  policyUrl: 'https://acme.example/policy',
  logoUrl: 'https://acme.example/logo.png',
  useCase: 'scheduling',
  description: 'Plans',
  callbackUrls: ['https://acme.example/a', 'https://acme.example/b'],
  embedOrigins: ['https://acme.example', 'https://app.acme.example'],
  scopes: ['meeting:read', 'user:read'],
  clientType: 'confidential',
  requirePkce: false,
  sendIss: true,
}
const edited = (changes: Partial<AppFields>): AppFields => ({ ...live, ...changes })

test('all fields of a new app wait for review', () =>
  assert.deepEqual(planEdit(undefined, live), { live: undefined, draft: live }))

test('an edit without changes has no effect', () => {
  assert.deepEqual(planEdit(live, { ...live }), { live: undefined, draft: undefined })
})

const waiting: Record<string, Partial<AppFields>> = {
  'a new name': { name: 'Acme Planner' },
  'a new description': { description: '' },
  'another home page': { homepageUrl: 'https://acme.example/home' },
  'another policy': { policyUrl: 'https://acme.example/p' },
  'another logo': { logoUrl: 'https://acme.example/l' },
  'one more callback': { callbackUrls: [...live.callbackUrls, 'https://acme.example/c'] },
  'one more scope': { scopes: [...live.scopes, 'meeting:create'] },
  'one more origin': { embedOrigins: [...live.embedOrigins, 'https://other.example'] },
  'all callbacks replaced': { callbackUrls: ['https://acme.example/c'] },
  'all scopes replaced': { scopes: ['meeting:create'] },
}
for (const [name, changes] of Object.entries(waiting)) {
  test(`an edit waits for review, and the live fields stay: ${name}`, () => {
    assert.deepEqual(planEdit(live, edited(changes)), { live: undefined, draft: edited(changes) })
  })
}

const atOnce: Record<string, Partial<AppFields>> = {
  'one callback less': { callbackUrls: ['https://acme.example/b'] },
  'one scope less': { scopes: ['user:read'] },
  'no origin left': { embedOrigins: [] },
  'callbacks in another order': { callbackUrls: live.callbackUrls.toReversed() },
  'PKCE required': { requirePkce: true },
  'no iss': { sendIss: false },
  'another use case': { useCase: 'other' },
}
for (const [name, changes] of Object.entries(atOnce)) {
  test(`an edit takes effect at once: ${name}`, () => {
    assert.deepEqual(planEdit(live, edited(changes)), { live: edited(changes), draft: undefined })
  })
}

test('the removals of a mixed edit take effect at once, and the whole edit waits for review', () => {
  const wanted = edited({
    name: 'Acme Planner',
    callbackUrls: ['https://acme.example/b', 'https://acme.example/c'],
    embedOrigins: ['https://acme.example', 'https://other.example'],
    scopes: ['user:read', 'meeting:create'],
    requirePkce: true,
  })
  const left = edited({
    callbackUrls: ['https://acme.example/b'],
    embedOrigins: ['https://acme.example'],
    scopes: ['user:read'],
    requirePkce: true,
  })
  assert.deepEqual(planEdit(live, wanted), { live: left, draft: wanted })
})

test('lists each changed field with its values before and after', () => {
  const wanted = edited({ name: 'Acme Planner', scopes: ['user:read'], sendIss: false })
  assert.deepEqual(differencesBetween(live, wanted), [
    { field: 'name', before: ['Acme Calendar'], after: ['Acme Planner'] },
    { field: 'scopes', before: ['meeting:read', 'user:read'], after: ['user:read'] },
    { field: 'sendIss', before: ['true'], after: ['false'] },
  ])
})

test('lists every field of a new app, with nothing before', () => {
  const all = differencesBetween(undefined, edited({ description: '' }))
  assert.deepEqual(
    all.map(({ field }) => field),
    Object.keys(live),
  )
  assert.ok(all.every(({ before }) => before.length === 0))
})

test('finds no difference between an app and itself, and some between two apps', () => {
  assert.equal(isEqual(live, { ...live }), true)
  assert.equal(isEqual(live, edited({ requirePkce: true })), false)
})
