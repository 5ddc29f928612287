import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientType } from './client-type.ts'
import {
  type AnsweredConsent,
  type ConsentDecision,
  type ConsentSituation,
  type ConsentStep,
  decideConsent,
  optionalScopes,
  planConsent,
} from './consent.ts'
import { lifetimes } from './lifetimes.ts'
import type { Resource } from './resource.ts'

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

const isReadOnly = (scope: string) => scope.endsWith(':read')

test('scopes that change something may be left out of what public clients and the MCP server get', () => {
  const optional = (clientType: ClientType, resource: Resource | null) =>
    optionalScopes(['meeting:read', 'meeting:create'], { client: { clientType }, resource, isReadOnly })
  for (const clientType of ['native', 'single_page'] as const) {
    for (const resource of [null, 'api', 'mcp'] as const) {
      assert.deepEqual(optional(clientType, resource), ['meeting:create'])
    }
  }
  assert.deepEqual(optional('confidential', 'mcp'), ['meeting:create'])
  for (const resource of [null, 'api'] as const) assert.deepEqual(optional('confidential', resource), [])
})

const confidential: AnsweredConsent = {
  prompts: [],
  confirmed: false,
  requested: ['meeting:read', 'meeting:create'],
  grant: undefined,
  identified: true,
  client: { clientType: 'confidential', sandbox: false, unreviewed: false },
  resource: null,
  isReadOnly,
}
const single: AnsweredConsent = { ...confidential, client: { ...confidential.client, clientType: 'single_page' } }
const writing: AnsweredConsent = { ...single, requested: ['meeting:create', 'meeting:delete'] }
const toServer: AnsweredConsent = { ...confidential, resource: 'mcp' }

const allow = (...selected: string[]) => ({ decision: 'allow', selected })
const allowed = (scopes: string[], cause: string, more: Partial<ConsentDecision> = {}): ConsentDecision =>
  ({ kind: 'allow', scopes, resource: 'api', lifetimeMs: lifetimes.grantMs, cause, ...more }) as ConsentDecision
const both = ['meeting:read', 'meeting:create']
const allowedBoth = 'A user allowed meeting:read, meeting:create.'

const answers: readonly (readonly [string, Parameters<typeof decideConsent>[0], AnsweredConsent, ConsentDecision])[] = [
  ['Deny', { decision: 'deny', selected: both }, confidential, { kind: 'deny', cause: 'The user chose Deny.' }],
  ['no button', { decision: undefined, selected: both }, confidential, { kind: 'incomplete' }],
  ['an unknown button', { decision: 'maybe', selected: both }, confidential, { kind: 'incomplete' }],
  ['Allow', allow(), confidential, allowed(both, allowedBoth)],
  [
    'Allow, with a grant of these scopes',
    allow(),
    { ...confidential, grant: { id: 'g', scopes: both } },
    allowed(both, allowedBoth),
  ],
  [
    'Allow, of another account that prompt=login has asked to sign in',
    allow(),
    { ...confidential, prompts: ['login'] },
    { kind: 'outdated' },
  ],
  [
    'Allow, after the sign-in of prompt=login',
    allow(),
    { ...confidential, prompts: ['login'], confirmed: true },
    allowed(both, allowedBoth),
  ],
  [
    'Allow, of another account that prompt=select_account lets choose',
    allow(),
    { ...confidential, prompts: ['select_account'] },
    { kind: 'outdated' },
  ],
  ['Allow, with prompt=none', allow(), { ...confidential, prompts: ['none'] }, { kind: 'outdated' }],
  [
    'Allow, in the sandbox',
    allow(),
    { ...confidential, client: { ...confidential.client, sandbox: true } },
    allowed(both, allowedBoth, { lifetimeMs: lifetimes.sandboxGrantMs }),
  ],
  [
    'Allow, for a client that waits for its review',
    allow(),
    { ...confidential, client: { ...confidential.client, unreviewed: true } },
    allowed(both, allowedBoth, { lifetimeMs: lifetimes.sandboxGrantMs }),
  ],
  ['Allow, with every checkbox of a public client', allow('meeting:create'), single, allowed(both, allowedBoth)],
  [
    'Allow, without the checkbox of a public client',
    allow(),
    single,
    allowed(['meeting:read'], 'A user allowed meeting:read, and left out meeting:create.'),
  ],
  [
    'Allow, without a scope that was allowed before and has no checkbox',
    allow('meeting:delete'),
    { ...writing, grant: { id: 'g', scopes: ['meeting:create'] } },
    allowed(['meeting:create', 'meeting:delete'], 'A user allowed meeting:create, meeting:delete.'),
  ],
  [
    'Allow, with an unknown checkbox',
    allow('apps:manage'),
    single,
    allowed(['meeting:read'], 'A user allowed meeting:read, and left out meeting:create.'),
  ],
  [
    'Allow, with no checkbox of scopes that all may be left out',
    allow(),
    writing,
    { kind: 'nothing-selected', added: ['meeting:create', 'meeting:delete'] },
  ],
  [
    'Allow, for the MCP server',
    allow(),
    toServer,
    allowed(
      ['meeting:read'],
      'A user allowed meeting:read for https://meet.example/mcp, and left out meeting:create.',
      { resource: 'mcp' },
    ),
  ],
]
for (const [name, answer, consent, decision] of answers) {
  test(`${name}: ${decision.kind}`, () =>
    assert.deepEqual(decideConsent(answer, consent, 'https://meet.example'), decision))
}
