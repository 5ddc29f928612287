import assert from 'node:assert/strict'
import { test } from 'node:test'
import { googleReply } from '../../test/meetings/calendar-replies.ts'
import { startReplyMailbox } from '../../test/meetings/reply-mailbox.ts'
import { cancelPath, detailsPath, standUp, weekdays } from '../../test/people.ts'

const { clock, alice, bob, carol, olga, mallory, invite, receive } = await startReplyMailbox()
const path = (meeting: { _id: string }) => `${detailsPath(meeting)}/proposals`

async function propose(meeting: object = standUp()) {
  const invited = await invite(meeting)
  const counter = {
    ...invited.replyFields,
    method: 'COUNTER',
    start: 'DTSTART:20300107T140000Z',
    lines: ['COMMENT:Later?'],
  }
  assert.equal(await receive(googleReply(counter)), 'proposed')
  return invited.meeting
}

test('lists proposals to the host and cohosts only, until their time has passed or the meeting is cancelled', async () => {
  const meeting = await propose(standUp({ cohosts: [carol.email] }))
  const [proposal, ...others] = (await alice.send('GET', path(meeting))).body.proposals
  assert.deepEqual(others, [])
  const { _id, ...shown } = proposal
  assert.match(_id, /^[0-9a-f-]{36}$/)
  assert.deepEqual(shown, {
    email: 'bob@example.org',
    startTime: '2030-01-07T14:00:00.000Z',
    endTime: '2030-01-07T14:30:00.000Z',
    comment: 'Later?',
    proposedOn: '2030-01-01T12:00:00.000Z',
  })
  assert.equal((await carol.send('GET', path(meeting))).body.proposals.length, 1)
  for (const [person, code] of [
    [bob, 'forbidden'],
    [olga, 'meeting_not_found'],
    [mallory, 'meeting_not_found'],
  ] as const) {
    assert.equal((await person.send('GET', path(meeting))).body.code, code)
  }
  const { body } = await bob.send('POST', '/api/auth/tokens', { name: 'script', scopes: ['meeting:read'] })
  const headers = { authorization: `Bearer ${body.token}` }
  assert.equal((await bob.send('GET', path(meeting), undefined, headers)).body.code, 'forbidden')
  clock.set('2030-01-07T14:00:00Z')
  assert.deepEqual((await alice.send('GET', path(meeting))).body.proposals, [])
  clock.set('2030-01-01T12:00:00Z')
  await alice.send('POST', `${cancelPath(meeting)}?sendUpdates=none`, { cancel: 'all' })
  assert.deepEqual((await alice.send('GET', path(meeting))).body.proposals, [])
})

test('a proposal for one date shows that date, as long as it takes place', async () => {
  const { meeting, replyFields } = await invite(weekdays())
  const lines = ['RECURRENCE-ID:20300108T090000Z']
  const counter = { ...replyFields, method: 'COUNTER', start: 'DTSTART:20300108T140000Z', lines }
  assert.equal(await receive(googleReply(counter)), 'proposed')
  const listed = async () => (await alice.send('GET', path(meeting))).body.proposals
  assert.deepEqual((await listed())[0].occurrence, {
    startTime: '2030-01-08T09:00:00.000Z',
    endTime: '2030-01-08T09:30:00.000Z',
    originalStartTime: '2030-01-08T09:00:00.000Z',
    status: 'active',
  })
  const occurrence = '2030-01-08T09:00:00Z'
  await alice.send('POST', `${cancelPath(meeting)}?sendUpdates=none`, { cancel: 'current', occurrence })
  assert.deepEqual(await listed(), [])
})
