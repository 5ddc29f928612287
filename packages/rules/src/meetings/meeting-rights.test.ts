import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  findMeetingRole,
  findMeetingRoleForApp,
  type MeetingRights,
  type MeetingRole,
  type Reader,
  rightsOver,
} from './meeting-rights.ts'

const meeting = {
  host: { id: 'alice', tenantId: 'acme' },
  people: [
    { addressKey: 'bob@acme.example', cohost: false },
    { addressKey: 'carol@acme.example', cohost: true },
  ],
}
const mallory: Reader = {
  accountId: 'mallory',
  tenantId: 'acme',
  administrator: false,
  addressKey: 'mallory@acme.example',
}
const alice = { ...mallory, accountId: 'alice', addressKey: 'alice@acme.example' }
const bob = { ...mallory, accountId: 'bob', addressKey: 'bob@acme.example' }
const carol = { ...mallory, accountId: 'carol', addressKey: 'carol@acme.example' }
const administrator = { administrator: true }
const elsewhere = { tenantId: 'globex' }
const unverified = { addressKey: null }

const roles: readonly (readonly [string, Reader, MeetingRole])[] = [
  ['the host', alice, 'host'],
  ['the host, with an unverified address', { ...alice, ...unverified }, 'host'],
  ['the host, an administrator', { ...alice, ...administrator }, 'host'],
  ['the host, now in another tenant', { ...alice, ...elsewhere }, 'host'],
  ['a cohost', carol, 'cohost'],
  ['a cohost of another tenant', { ...carol, ...elsewhere }, 'cohost'],
  ['a cohost, an administrator', { ...carol, ...administrator }, 'cohost-and-administrator'],
  ['a cohost, an administrator of another tenant', { ...carol, ...administrator, ...elsewhere }, 'cohost'],
  ['a cohost with an unverified address', { ...carol, ...unverified }, 'none'],
  [
    'a cohost with an unverified address, an administrator',
    { ...carol, ...unverified, ...administrator },
    'administrator',
  ],
  ['an administrator', { ...mallory, ...administrator }, 'administrator'],
  ['an administrator with an unverified address', { ...mallory, ...administrator, ...unverified }, 'administrator'],
  ['an administrator who is invited', { ...bob, ...administrator }, 'administrator'],
  ['an administrator of another tenant', { ...mallory, ...administrator, ...elsewhere }, 'none'],
  ['an administrator of another tenant who is invited', { ...bob, ...administrator, ...elsewhere }, 'participant'],
  ['a participant', bob, 'participant'],
  ['a participant of another tenant', { ...bob, ...elsewhere }, 'participant'],
  ['a participant with an unverified address', { ...bob, ...unverified }, 'none'],
  ['a stranger of the same tenant', mallory, 'none'],
  ['a stranger of another tenant', { ...mallory, ...elsewhere }, 'none'],
  ['a stranger with an unverified address', { ...mallory, ...unverified }, 'none'],
]
for (const [who, reader, role] of roles) {
  test(`${who}: ${role}`, () => assert.equal(findMeetingRole(reader, meeting), role))
}

test('only the host and administrators have a role in a meeting without participants', () => {
  const alone = { ...meeting, people: [] }
  assert.equal(findMeetingRole(alice, alone), 'host')
  assert.equal(findMeetingRole({ ...mallory, ...administrator }, alone), 'administrator')
  assert.equal(findMeetingRole(bob, alone), 'none')
})

const matrix: Record<MeetingRole, readonly (keyof MeetingRights)[]> = {
  host: ['read', 'change', 'seeHostFields', 'seePeople', 'removeCohost'],
  'cohost-and-administrator': ['read', 'change', 'seeHostFields', 'seePeople', 'removeCohost'],
  cohost: ['read', 'change', 'seeHostFields', 'seePeople'],
  administrator: ['read', 'change', 'seePeople', 'removeCohost'],
  participant: ['read', 'seePeople'],
  none: [],
}
for (const [role, allowed] of Object.entries(matrix) as [MeetingRole, readonly (keyof MeetingRights)[]][]) {
  test(`${role} may: ${allowed.join(', ') || 'nothing'}`, () => {
    const given = Object.entries(rightsOver(role)).flatMap(([right, has]) => (has ? [right] : []))
    assert.deepEqual(given, allowed)
  })
}

const rolesForApps: readonly (readonly [string, Reader, MeetingRole])[] = [
  ['the host, an administrator', { ...alice, ...administrator }, 'host'],
  ['a cohost', carol, 'participant'],
  ['a cohost, an administrator', { ...carol, ...administrator }, 'participant'],
  ['a participant, an administrator', { ...bob, ...administrator }, 'participant'],
  ['an administrator', { ...mallory, ...administrator }, 'none'],
]
for (const [who, reader, role] of rolesForApps) {
  test(`through an app ${who} counts as ${role}`, () => assert.equal(findMeetingRoleForApp(reader, meeting), role))
}
