import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConsentSituation, type ConsentStep, planConsent } from './consent.ts'

const signedOut: ConsentSituation = {
  prompts: [],
  signedIn: false,
  confirmed: false,
  requested: ['meeting:read', 'meeting:create'],
  grant: undefined,
}
const stranger: ConsentSituation = { ...signedOut, signedIn: true }
const friend: ConsentSituation = {
  ...stranger,
  grant: { id: 'g', scopes: ['user:read', 'meeting:create', 'meeting:read'] },
}
const lesser: ConsentSituation = { ...stranger, grant: { id: 'g', scopes: ['meeting:read'] } }

const ask = (known: string[], added: string[]): ConsentStep => ({ kind: 'ask', known, added })
const askAll = ask([], ['meeting:read', 'meeting:create'])
const askAgain = ask(['meeting:read', 'meeting:create'], [])
const refuse = (error: 'login_required' | 'consent_required'): ConsentStep => ({ kind: 'refuse', error })

const cases: readonly (readonly [string, ConsentSituation, ConsentStep])[] = [
  ['nobody is signed in', signedOut, { kind: 'sign-in' }],
  ['nobody, to choose', { ...signedOut, prompts: ['select_account'] }, { kind: 'sign-in' }],
  ['nobody, silently', { ...signedOut, prompts: ['none'] }, refuse('login_required')],
  ['the first time', stranger, askAll],
  ['the first time, silently', { ...stranger, prompts: ['none'] }, refuse('consent_required')],
  ['all was granted', friend, { kind: 'silent', grantId: 'g' }],
  ['all was granted, silently', { ...friend, prompts: ['none'] }, { kind: 'silent', grantId: 'g' }],
  ['all was granted, to be asked', { ...friend, prompts: ['consent'] }, askAgain],
  ['some was granted', lesser, ask(['meeting:read'], ['meeting:create'])],
  ['some was granted, silently', { ...lesser, prompts: ['none'] }, refuse('consent_required')],
  ['a grant of nothing', { ...stranger, grant: { id: 'g', scopes: [] } }, askAll],
  ['no scope asked, no grant', { ...stranger, requested: [] }, ask([], [])],
  ['to sign in again', { ...friend, prompts: ['login'] }, { kind: 'sign-in' }],
  ['signed in again', { ...friend, prompts: ['login'], confirmed: true }, { kind: 'silent', grantId: 'g' }],
  ['to choose', { ...friend, prompts: ['select_account'] }, { kind: 'choose-account' }],
  ['chosen', { ...friend, prompts: ['select_account'], confirmed: true }, { kind: 'silent', grantId: 'g' }],
  ['to sign in and to choose', { ...friend, prompts: ['select_account', 'login'] }, { kind: 'sign-in' }],
  ['signed in again, to be asked', { ...friend, prompts: ['login', 'consent'], confirmed: true }, askAgain],
]
for (const [name, situation, step] of cases) {
  test(`${name}: ${step.kind}`, () => assert.deepEqual(planConsent(situation), step))
}
