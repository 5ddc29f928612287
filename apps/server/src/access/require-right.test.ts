import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Access } from '@parley/contract'
import { ProblemError } from '../platform/problem.ts'
import type { Caller, Credential } from './caller.ts'
import { requireRight } from './require-right.ts'

const person: Omit<Caller, 'credential'> = {
  accountId: 'alice',
  tenantId: 'acme',
  addressKey: 'alice@acme.example',
  addressVerified: true,
  administrator: false,
  reviewer: false,
  timeZone: '',
}
const session: Credential = { kind: 'session', sessionId: 's' }
const personal: Credential = { kind: 'personal', tokenId: 't', scopes: ['meeting:read'] }
const oauth: Credential = { kind: 'oauth', grantId: 'g', appId: 'a', sandbox: false, scopes: ['meeting:read'] }
const nothing = {}
const administrator = { administrator: true }
const reviewer = { reviewer: true }

const cases: [Access, Credential, object, string | undefined][] = [
  ['meeting:read', session, nothing, undefined],
  ['meeting:read', personal, nothing, undefined],
  ['meeting:read', oauth, nothing, undefined],
  ['meeting:create', session, nothing, undefined],
  ['meeting:create', personal, nothing, 'insufficient_scope'],
  ['meeting:create', oauth, nothing, 'insufficient_scope'],
  ['session', session, nothing, undefined],
  ['session', personal, nothing, 'session_required'],
  ['session', oauth, nothing, 'session_required'],
  ['account', session, nothing, undefined],
  ['account', personal, nothing, undefined],
  ['account', oauth, nothing, 'app_token_refused'],
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
