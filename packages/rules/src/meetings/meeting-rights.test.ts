import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type MeetingRights,
  type MeetingTie,
  type Reader,
  rightsOver,
  tieBetween,
  tieThroughApp,
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

const ties: readonly (readonly [string, Reader, MeetingTie])[] = [
  ['the host', alice, 'host'],
  ['the host, with an unverified address', { ...alice, ...unverified }, 'host'],
  ['the host, an administrator', { ...alice, ...administrator }, 'host'],
  ['the host, whose tenant has become another', { ...alice, ...elsewhere }, 'host'],
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
for (const [who, reader, tie] of ties) {
  test(`${who}: ${tie}`, () => assert.equal(tieBetween(reader, meeting), tie))
}

test('nobody but the host and administrators is tied to a meeting without people', () => {
  const alone = { ...meeting, people: [] }
  assert.equal(tieBetween(alice, alone), 'host')
  assert.equal(tieBetween({ ...mallory, ...administrator }, alone), 'administrator')
  assert.equal(tieBetween(bob, alone), 'none')
})

const matrix: Record<MeetingTie, readonly (keyof MeetingRights)[]> = {
  host: ['read', 'change', 'seeHostFields', 'seePeople', 'removeCohost'],
  'cohost-and-administrator': ['read', 'change', 'seeHostFields', 'seePeople', 'removeCohost'],
  cohost: ['read', 'change', 'seeHostFields', 'seePeople'],
  administrator: ['read', 'change', 'seePeople', 'removeCohost'],
  participant: ['read', 'seePeople'],
  none: [],
}
for (const [tie, allowed] of Object.entries(matrix) as [MeetingTie, readonly (keyof MeetingRights)[]][]) {
  test(`${tie} may: ${allowed.join(', ') || 'nothing'}`, () => {
    const given = Object.entries(rightsOver(tie)).flatMap(([right, has]) => (has ? [right] : []))
    assert.deepEqual(given, allowed)
  })
}

const tiesThroughApp: readonly (readonly [string, Reader, MeetingTie])[] = [
  ['the host, an administrator', { ...alice, ...administrator }, 'host'],
  ['a cohost', carol, 'participant'],
  ['a cohost, an administrator', { ...carol, ...administrator }, 'participant'],
  ['a participant, an administrator', { ...bob, ...administrator }, 'participant'],
  ['an administrator', { ...mallory, ...administrator }, 'none'],
]
for (const [who, reader, tie] of tiesThroughApp) {
  test(`through an app ${who} counts as ${tie}`, () => assert.equal(tieThroughApp(reader, meeting), tie))
}
