import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConsentSituation, type ConsentStep, mayLeaveOutScopes, planConsent } from './consent.ts'

const signedOut: ConsentSituation = {
  prompts: [],
  signedIn: false,
  confirmed: false,
  requested: ['meeting:read', 'meeting:create'],
  grant: undefined,
  identified: true,
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
  ['signed out', signedOut, { kind: 'sign-in' }],
  ['signed out, with prompt=select_account', { ...signedOut, prompts: ['select_account'] }, { kind: 'sign-in' }],
  ['signed out, with prompt=none', { ...signedOut, prompts: ['none'] }, refuse('login_required')],
  ['without a grant', stranger, askAll],
  ['without a grant, with prompt=none', { ...stranger, prompts: ['none'] }, refuse('consent_required')],
  ['with a grant of all scopes', friend, { kind: 'silent', grantId: 'g' }],
  ['with a grant of all scopes and prompt=none', { ...friend, prompts: ['none'] }, { kind: 'silent', grantId: 'g' }],
  ['with a grant of all scopes and prompt=consent', { ...friend, prompts: ['consent'] }, askAgain],
  [
    'with a grant of all scopes, where another program may receive the response',
    { ...friend, identified: false },
    askAgain,
  ],
  [
    'with a grant of all scopes and prompt=none, where another program may receive the response',
    { ...friend, identified: false, prompts: ['none'] },
    refuse('consent_required'),
  ],
  ['with a grant of some scopes', lesser, ask(['meeting:read'], ['meeting:create'])],
  ['with a grant of some scopes and prompt=none', { ...lesser, prompts: ['none'] }, refuse('consent_required')],
  ['with a grant of no scopes', { ...stranger, grant: { id: 'g', scopes: [] } }, askAll],
  ['without requested scopes and without a grant', { ...stranger, requested: [] }, ask([], [])],
  ['with prompt=login', { ...friend, prompts: ['login'] }, { kind: 'sign-in' }],
  [
    'with prompt=login, after signing in',
    { ...friend, prompts: ['login'], confirmed: true },
    { kind: 'silent', grantId: 'g' },
  ],
  ['with prompt=select_account', { ...friend, prompts: ['select_account'] }, { kind: 'choose-account' }],
  [
    'with prompt=select_account, after choosing',
    { ...friend, prompts: ['select_account'], confirmed: true },
    { kind: 'silent', grantId: 'g' },
  ],
  ['with prompt=login select_account', { ...friend, prompts: ['select_account', 'login'] }, { kind: 'sign-in' }],
  [
    'with prompt=login consent, after signing in',
    { ...friend, prompts: ['login', 'consent'], confirmed: true },
    askAgain,
  ],
]
for (const [name, situation, step] of cases) {
  test(`${name}: ${step.kind}`, () => assert.deepEqual(planConsent(situation), step))
}

test('scopes may be left out of what public clients and the MCP server get', () => {
  for (const clientType of ['native', 'single_page'] as const) {
    for (const resource of [null, 'api', 'mcp'] as const) assert.equal(mayLeaveOutScopes(clientType, resource), true)
  }
  assert.equal(mayLeaveOutScopes('confidential', 'mcp'), true)
  for (const resource of [null, 'api'] as const) assert.equal(mayLeaveOutScopes('confidential', resource), false)
})
