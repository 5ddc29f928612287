import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DeliveryContext, mayReceive } from './delivery-right.ts'

const context: DeliveryContext = {
  owner: 'person',
  right: 'meeting:read',
  hasEnded: false,
  isOwnerLive: true,
  isOwnEvent: false,
  isAdministratorOfSubject: false,
  isAboutApp: false,
  grantedScopes: undefined,
}
const app = { owner: 'app' } as const
const grant = { owner: 'grant' } as const
const granted = { grantedScopes: ['meeting:read', 'meeting:create'] } as const

const cases: readonly (readonly [string, Partial<DeliveryContext>, boolean])[] = [
  ['a person: an event of theirs', { isOwnEvent: true }, true],
  ['a person: an event of another account', {}, false],
  ['a person: an event of an app of theirs', { isOwnEvent: true, right: 'apps:manage' }, true],
  ['a disabled person: an event of theirs', { isOwnEvent: true, isOwnerLive: false }, false],
  ['an administrator: an event of the organisation', { owner: 'organisation', isAdministratorOfSubject: true }, true],
  ['an administrator no longer: an event of the organisation', { owner: 'organisation' }, false],
  ['an app: a meeting of a person who granted it meeting:read', { ...app, ...granted }, true],
  ['an app: a meeting of a person who granted it less', { ...app, grantedScopes: ['meeting:create'] }, false],
  ['an app: a meeting of a person who revoked the grant', app, false],
  ['an app whose owner is disabled: a meeting', { ...app, ...granted, isOwnerLive: false }, false],
  ['an app: a grant of it that has ended', { ...app, right: 'grant', isAboutApp: true }, true],
  ['an app: a grant of another app', { ...app, ...granted, right: 'grant' }, false],
  ['an app: its suspension', { ...app, right: 'apps:manage', isAboutApp: true }, true],
  ['an app: the suspension of another app of its owner', { ...app, right: 'apps:manage', isOwnEvent: true }, false],
  ['a grant: a meeting, with meeting:read', { ...grant, ...granted }, true],
  ['a grant: a meeting, with other scopes', { ...grant, grantedScopes: ['user:read'] }, false],
  ['a revoked grant: a meeting', grant, false],
  ['a grant: that it was extended', { ...grant, ...granted, right: 'grant', isAboutApp: true }, true],
  ['a revoked grant: its own end', { ...grant, right: 'grant', isAboutApp: true }, false],
  ['a grant: the suspension of its app', { ...grant, ...granted, right: 'apps:manage', isAboutApp: true }, false],
  ['a webhook of a deleted token: an event of its person', { isOwnEvent: true, hasEnded: true }, false],
  ['a webhook: its own test', { right: 'webhook' }, true],
  ['a webhook of a deleted token: its own test', { right: 'webhook', hasEnded: true }, false],
  ['a webhook of a disabled person: its own test', { right: 'webhook', isOwnerLive: false }, false],
]

for (const [what, changes, expected] of cases) {
  test(`${what}: ${expected ? 'sent' : 'withheld'}`, () =>
    assert.equal(mayReceive({ ...context, ...changes }), expected))
}
