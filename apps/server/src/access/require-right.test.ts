import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EndpointAccess } from '@parley/contract'
import { ProblemError } from '../platform/http/problem.ts'
import type { Caller, Credential } from './caller.ts'
import { requireRight } from './require-right.ts'

const person: Omit<Caller, 'credential'> = {
  accountId: 'alice',
  tenantId: 'acme',
  addressKey: 'alice@acme.example',
  addressTrusted: true,
  administrator: false,
  reviewer: false,
  timeZone: '',
}
const session: Credential = { kind: 'session', sessionId: 's' }
const personal: Credential = { kind: 'personal', tokenId: 't', scopes: ['meeting:read'] }
const managing: Credential = { kind: 'personal', tokenId: 't', scopes: ['apps:manage'] }
const oauth: Credential = {
  kind: 'oauth',
  grantId: 'g',
  familyId: 'f',
  appId: 'a',
  sandbox: false,
  scopes: ['meeting:read'],
}
const nothing = {}
const hosting = { access: 'visitor', furtherScopes: ['meeting:update'] } as const
const administrator = { administrator: true }
const reviewer = { reviewer: true }

const cases: [EndpointAccess, Credential, object, string | undefined][] = [
  ['meeting:read', session, nothing, undefined],
  ['meeting:read', personal, nothing, undefined],
  ['meeting:read', oauth, nothing, undefined],
  ['meeting:create', session, nothing, undefined],
  ['meeting:create', personal, nothing, 'insufficient_scope'],
  ['meeting:create', oauth, nothing, 'insufficient_scope'],
  ['session', session, nothing, undefined],
  ['session', personal, nothing, 'session_required'],
  ['session', oauth, nothing, 'session_required'],
  ['apps:manage', session, nothing, undefined],
  ['apps:manage', managing, nothing, undefined],
  ['apps:manage', personal, nothing, 'insufficient_scope'],
  ['apps:manage', oauth, nothing, 'app_token_refused'],
  ['meeting:read', managing, nothing, 'insufficient_scope'],
  ['session', managing, nothing, 'session_required'],
  ['administrator', session, administrator, undefined],
  ['administrator', session, reviewer, 'administrator_required'],
  ['administrator', personal, administrator, 'session_required'],
  ['administrator', oauth, administrator, 'session_required'],
  ['reviewer', session, reviewer, undefined],
  ['reviewer', session, administrator, 'reviewer_required'],
  ['reviewer', personal, reviewer, 'session_required'],
  ['reviewer', oauth, reviewer, 'session_required'],
]
for (const [access, credential, roles, code] of cases) {
  const who = `${credential.kind} of ${JSON.stringify(roles)}`
  test(`${who} at ${access}: ${code ?? 'may'}`, () => {
    const ask = () => requireRight({ access }, { ...person, ...roles, credential }, 'http://parley.test')
    if (code === undefined) assert.doesNotThrow(ask)
    else assert.throws(ask, (error) => error instanceof ProblemError && error.code === code)
  })
}

for (const [scopes, missing] of [
  [['meeting:join', 'meeting:update'], undefined],
  [['meeting:join'], 'This token does not carry the scope meeting:update.'],
  [['meeting:update'], 'This token does not carry the scope meeting:join.'],
  [[], 'This token does not carry the scopes meeting:join and meeting:update.'],
] as const) {
  test(`a token with ${scopes.join(' and ') || 'nothing'} in a room, as its host: ${missing ?? 'may'}`, () => {
    const caller = { ...person, credential: { ...personal, scopes: [...scopes] } }
    const ask = () => requireRight(hosting, caller, 'http://parley.test')
    if (missing === undefined) return assert.doesNotThrow(ask)
    assert.throws(ask, (error) => error instanceof ProblemError && error.detail === missing)
  })
}

test('a person who signed in acts as the host without any scope', () => {
  assert.doesNotThrow(() => requireRight(hosting, { ...person, credential: session }, 'http://parley.test'))
})
