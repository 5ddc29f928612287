import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPath, detailsPath, type Person, schedule, standUp, weekdays } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'

const { app, clock, olga, meet, mailsTo } = await useApp({ emails: 'dropped', start: '2030-01-01T00:00:00Z' })

const later = { startTime: '2030-01-07T10:00:00.000Z', endTime: '2030-01-07T10:30:00.000Z' }
const readBy = async (person: Person, meeting: { _id: string }) =>
  (await person.send('GET', detailsPath(meeting))).body[0]

type Entry = {
  action: string
  about: string
  detail: { endpoint: string; meetingId?: string; personalTokenId?: string }
}

/** The emails to a person, also those that wait for further changes. */
async function allMailsTo(person: Person) {
  await app.pool.query('update graphile_worker._private_jobs set run_at = now()')
  return mailsTo(person)
}

/** What the audit log has of this meeting of the host, the oldest first. */
async function auditOf(host: Person, { _id }: { _id: string }): Promise<[string, string][]> {
  const { entries } = (await olga.send('GET', `/api/admin/audit-log?subject=${host.profile._id}&limit=100`)).body
  return (entries as Entry[])
    .filter(({ detail }) => detail.meetingId === _id)
    .map(({ action, detail }): [string, string] => [action, detail.endpoint])
    .toReversed()
}

test('an administrator moves and cancels dates; it is in the audit log, and the host is mailed and sees it', async () => {
  const [alice] = await meet('Alice')
  const meeting = await schedule(alice, weekdays({ topic: 'Budget' }))
  const read = await readBy(olga, meeting)
  await expectOk(olga.send('PUT', detailsPath(meeting), { ...read, ...later }))
  await expectOk(olga.send('POST', cancelPath(meeting), { cancel: 'current' }))
  assert.deepEqual(await auditOf(alice, meeting), [
    ['meeting.viewed', 'readMeeting'],
    ['meeting.changed', 'updateMeeting'],
    ['meeting.cancelled', 'cancelMeeting'],
  ])
  const toAlice = await allMailsTo(alice)
  assert.deepEqual(toAlice.map(({ subject }) => subject).toSorted(), [
    'An administrator cancelled your meeting',
    'An administrator changed your meeting',
  ])
  const { entries } = (await alice.send('GET', '/api/auth/security-log')).body
  const [cancelled] = entries
  assert.deepEqual(
    [cancelled.action, cancelled.by, cancelled.about, cancelled.network],
    ['meeting.cancelled', 'organisation', 'Budget', ''],
  )
})

test('what the meeting itself permits is no act of an administrator', async () => {
  const [alice] = await meet('Alice')
  const meeting = await schedule(alice, standUp({ cohosts: [olga.email], participants: [] }))
  const read = await readBy(olga, meeting)
  assert.match(read.roomKey, /^[\w-]{43}$/)
  await expectOk(olga.send('PUT', detailsPath(meeting), { ...read, topic: 'By the cohost' }))
  assert.deepEqual(await auditOf(alice, meeting), [])
})

test('views of one meeting by one administrator within an hour are one entry', async () => {
  const [alice] = await meet('Alice')
  const [meeting, other] = [await schedule(alice), await schedule(alice)]
  await readBy(olga, meeting)
  await olga.send('GET', `${detailsPath(meeting)}/occurrences`)
  await readBy(olga, other)
  clock.advance(60 * 60_000 - 1)
  await readBy(olga, meeting)
  assert.equal((await auditOf(alice, meeting)).length, 1)
  assert.equal((await auditOf(alice, other)).length, 1)
  clock.advance(1)
  await readBy(olga, meeting)
  assert.equal((await auditOf(alice, meeting)).length, 2)
})

test('a cancellation that changes nothing is recorded as a view, and mails no host', async () => {
  const [alice] = await meet('Alice')
  const meeting = await schedule(alice, standUp({ participants: [] }))
  await alice.send('POST', cancelPath(meeting), { cancel: 'all' })
  await expectOk(olga.send('POST', cancelPath(meeting), { cancel: 'all' }))
  assert.deepEqual(await auditOf(alice, meeting), [['meeting.viewed', 'cancelMeeting']])
  assert.deepEqual(await allMailsTo(alice), [])
})

/** Each of these gave an administrator the host's secrets, or let her speak in the host's name. */
const widenings: [string, object][] = [
  ['names herself cohost', { cohosts: [olga.email] }],
  ['invites herself', { participants: [olga.email] }],
  ['replaces the participants', { participants: ['eve@elsewhere.example'] }],
  ['writes the topic', { topic: 'Pay this invoice' }],
  ['writes the description', { description: 'Pay this invoice' }],
  ['opens the room', { advancedOptions: { waitingRoom: false } }],
]
for (const [what, change] of widenings) {
  test(`an administrator who ${what} is refused, by update and split, and nothing changes`, async () => {
    const [alice, carol] = await meet('Alice', 'Carol')
    const meeting = await schedule(
      alice,
      weekdays({ description: 'Numbers', cohosts: [carol.email], advancedOptions: { waitingRoom: true } }),
    )
    const before = await readBy(alice, meeting)
    const read = await readBy(olga, meeting)
    const updated = await olga.send('PUT', detailsPath(meeting), { ...read, ...later, ...change })
    const single = { ...read, ...later, ...change, editOptions: { singleEvent: true } }
    const updatedOne = await olga.send('PUT', detailsPath(meeting), single)
    const split = { occurrence: '2030-01-14T09:00:00Z', ...change }
    const splitUp = await olga.send('POST', `${detailsPath(meeting)}/split`, split)
    for (const reply of [updated, updatedOne, splitUp]) await expectProblem(reply, 'forbidden')
    assert.deepEqual(await readBy(alice, meeting), before)
    assert.equal((await readBy(olga, meeting)).roomKey, '')
  })
}

test('what she changes keeps all that she does not see, and its continuation shows her nothing more', async () => {
  const [alice, carol] = await meet('Alice', 'Carol')
  const meeting = await schedule(alice, weekdays({ description: 'Numbers', cohosts: [carol.email] }))
  const split = { occurrence: '2030-01-14T09:00:00Z', startTime: '2030-01-14T10:00:00Z' }
  const body = await expectOk(olga.send('POST', `${detailsPath(meeting)}/split`, split))
  assert.deepEqual([body.pin, body.description, body.participants, body.cohosts], ['', '', [], []])
  const kept = await readBy(alice, body)
  assert.deepEqual([kept.description, kept.cohosts], ['Numbers', [carol.email]])
  assert.ok(kept.participants.length > 0)
})

test('an invited administrator sees what participants see, and sends it back unchanged', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const meeting = await schedule(alice, standUp({ participants: [olga.email, bob.email], description: 'Numbers' }))
  const read = await readBy(olga, meeting)
  assert.deepEqual([read.description, read.participants.length, read.roomKey], ['Numbers', 2, ''])
  await expectOk(olga.send('PUT', detailsPath(meeting), { ...read, ...later }))
  const added = { ...read, participants: [...read.participants, 'eve@elsewhere.example'] }
  await expectProblem(olga.send('PUT', detailsPath(meeting), added), 'forbidden')
  assert.deepEqual(await auditOf(alice, meeting), [['meeting.changed', 'updateMeeting']])
})

test('a cohost who is an administrator removes another cohost, which is recorded', async () => {
  const [alice, carol] = await meet('Alice', 'Carol')
  const meeting = await schedule(alice, standUp({ cohosts: [olga.email, carol.email] }))
  const read = await readBy(olga, meeting)
  const change = { ...read, cohosts: [olga.email] }
  await expectProblem(carol.send('PUT', detailsPath(meeting), { ...change, cohosts: [carol.email] }), 'forbidden')
  await expectOk(olga.send('PUT', detailsPath(meeting), change))
  assert.deepEqual(await auditOf(alice, meeting), [['meeting.changed', 'updateMeeting']])
})

test('a personal token of an administrator is named in the audit log', async () => {
  const [alice] = await meet('Alice')
  const meeting = await schedule(alice)
  const made = await olga.send('POST', '/api/auth/tokens', { name: 'script', scopes: ['meeting:read'] })
  const headers = { authorization: `Bearer ${made.body.token}` }
  await expectOk(olga.send('GET', detailsPath(meeting), undefined, headers))
  const { entries } = (await olga.send('GET', '/api/admin/audit-log?action=meeting.viewed&limit=100')).body
  const view = (entries as Entry[]).find(({ detail }) => detail.meetingId === meeting._id)
  assert.equal(view?.detail.personalTokenId, made.body._id)
})

test('a failed change is recorded neither as a change nor mailed', async () => {
  const [alice] = await meet('Alice')
  const meeting = await schedule(alice, weekdays())
  const wrong = { cancel: 'current', occurrence: '2030-01-05T09:00:00Z' }
  await expectProblem(olga.send('POST', cancelPath(meeting), wrong), 'invalid_request')
  assert.deepEqual(await auditOf(alice, meeting), [])
})

test('the host who has left is mailed nothing, and the meeting can still be cancelled', async () => {
  const [dave] = await meet('Dave')
  const meeting = await schedule(dave, standUp({ participants: [] }))
  await expectOk(olga.send('PUT', `/api/admin/accounts/${dave.profile._id}`, { disabled: true }))
  await allMailsTo(dave)
  await expectOk(olga.send('POST', cancelPath(meeting), { cancel: 'all' }))
  assert.deepEqual(await allMailsTo(dave), [])
})
