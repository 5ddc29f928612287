import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  findMeetingRole,
  findMeetingRoleForApp,
  type MeetingRight,
  type MeetingRole,
  meetingRights,
  type Reader,
  rightsOfRole,
} from './meeting-rights.ts'

const meeting = {
  host: { id: 'alice' },
  people: [
    { addressKey: 'bob@acme.example', cohost: false },
    { addressKey: 'carol@acme.example', cohost: true },
  ],
}
const mallory: Reader = { accountId: 'mallory', addressKey: 'mallory@acme.example' }
const alice = { accountId: 'alice', addressKey: 'alice@acme.example' }
const bob = { accountId: 'bob', addressKey: 'bob@acme.example' }
const carol = { accountId: 'carol', addressKey: 'carol@acme.example' }
const unverified = { addressKey: null }

const roles: readonly (readonly [string, Reader, MeetingRole])[] = [
  ['the host', alice, 'host'],
  ['the host, with an unverified address', { ...alice, ...unverified }, 'host'],
  ['a cohost', carol, 'cohost'],
  ['a cohost with an unverified address', { ...carol, ...unverified }, 'none'],
  ['a participant', bob, 'participant'],
  ['a participant with an unverified address', { ...bob, ...unverified }, 'none'],
  ['a stranger', mallory, 'none'],
  ['a stranger with an unverified address', { ...mallory, ...unverified }, 'none'],
]
for (const [who, reader, role] of roles) {
  test(`${who}: ${role}`, () => assert.equal(findMeetingRole(reader, meeting), role))
}

test('only the host has a role in a meeting without participants', () => {
  const alone = { ...meeting, people: [] }
  assert.equal(findMeetingRole(alice, alone), 'host')
  assert.equal(findMeetingRole(bob, alone), 'none')
})

test('through an app a cohost counts as a participant', () => {
  const found = [alice, bob, carol, mallory].map((reader) => findMeetingRoleForApp(reader, meeting))
  assert.deepEqual(found, ['host', 'participant', 'participant', 'none'])
})

const cohosts = meetingRights.filter((right) => right !== 'removeCohost')
const matrix: Record<MeetingRole, { meeting: readonly MeetingRight[]; administration: readonly MeetingRight[] }> = {
  host: { meeting: meetingRights, administration: [] },
  cohost: { meeting: cohosts, administration: ['removeCohost'] },
  participant: { meeting: ['read', 'seeContent', 'seePeople'], administration: ['reschedule', 'cancel'] },
  added: { meeting: ['read', 'seeContent'], administration: ['reschedule', 'cancel'] },
  none: { meeting: [], administration: ['read', 'reschedule', 'cancel'] },
}
for (const [role, { meeting, administration }] of Object.entries(matrix) as [MeetingRole, (typeof matrix)['host']][]) {
  test(`${role} may: ${meeting.join(', ') || 'nothing'}; an administrator also: ${administration.join(', ')}`, () => {
    for (const right of meetingRights) {
      const own = meeting.includes(right) ? 'meeting' : undefined
      const added = administration.includes(right) ? 'administration' : undefined
      assert.equal(rightsOfRole(role, false).sourceOf(right), own)
      assert.equal(rightsOfRole(role, true).sourceOf(right), own ?? added)
      assert.equal(rightsOfRole(role, true).has(right), own !== undefined, 'administration shows nothing')
    }
  })
}

test('an administrator who does not see the host’s fields can neither see, name nor change people', () => {
  const kept: MeetingRight[] = ['seeContent', 'seePeople', 'seeHostFields', 'changeContent', 'changePeople']
  for (const right of [...kept, 'nameCohosts', 'removeCohost'] as const) {
    assert.equal(rightsOfRole('none', true).sourceOf(right), undefined, right)
  }
})
