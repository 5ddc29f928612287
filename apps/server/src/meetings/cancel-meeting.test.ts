import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPath, detailsPath, meetUsers, type Person, schedule, standUp, weekdays } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'

const { app, clock, olga } = await useApp({ start: '2030-01-01T00:00:00Z', emails: 'dropped' })
const { alice, bob, carol, mallory } = await meetUsers(app)

const one = 'Your meeting has been cancelled successfully.'
const all = 'Your meetings have been cancelled successfully.'

async function cancel(person: Person, meeting: { _id: string }, body: object, headers?: Record<string, string>) {
  return person.send('POST', cancelPath(meeting), body, headers)
}

async function look(meeting: { _id: string }) {
  const [read] = (await alice.send('GET', `${detailsPath(meeting)}?occurrences=100`)).body
  const days = read.occurrences.map(({ startTime }: { startTime: string }) => startTime.slice(5, 10))
  return { status: read.status, version: read.__v, days }
}

for (const extent of ['current', 'all']) {
  test(`cancels a single meeting by ${extent}, and accepts a second call`, async () => {
    const meeting = await schedule(alice)
    for (const _ of [1, 2]) {
      const answer = await expectOk(cancel(alice, meeting, { cancel: extent }))
      assert.deepEqual(answer, { status: one })
      assert.deepEqual(await look(meeting), { status: 'cancelled', version: 1, days: [] })
    }
  })
}

test('current cancels the next date, then the one after, until none is left', async () => {
  const meeting = await schedule(alice, weekdays())
  for (let left = 15; left > 0; left--) {
    const before = await look(meeting)
    assert.deepEqual([before.status, before.days.length], ['active', left])
    assert.equal((await cancel(alice, meeting, { cancel: 'current' })).body.status, one)
    assert.deepEqual((await look(meeting)).days, before.days.slice(1))
  }
  assert.equal((await look(meeting)).status, 'cancelled')
  await expectOk(cancel(alice, meeting, { cancel: 'current' }))
})

test('current cancels a running date', async () => {
  const meeting = await schedule(alice, weekdays())
  clock.set('2030-01-08T09:29:59Z')
  await cancel(alice, meeting, { cancel: 'current' })
  assert.equal((await look(meeting)).days[0], '01-09')
})

test('current with an occurrence cancels that occurrence', async () => {
  const meeting = await schedule(alice, weekdays())
  const occurrence = '2030-01-10T10:00:00+01:00'
  await expectOk(cancel(alice, meeting, { cancel: 'current', occurrence }))
  await expectOk(cancel(alice, meeting, { cancel: 'current', occurrence }))
  assert.deepEqual((await look(meeting)).days.slice(0, 4), ['01-07', '01-08', '01-09', '01-11'])
})

test('refuses an occurrence that does not exist, is over, or is no timestamp, and changes nothing', async () => {
  const meeting = await schedule(alice, weekdays())
  clock.set('2030-01-07T09:30:00Z')
  const expectRefusal = (occurrence: string, violation: string) =>
    expectProblem(cancel(alice, meeting, { cancel: 'current', occurrence }), 'invalid_request', [
      `/occurrence ${violation}`,
    ])
  await expectRefusal('2030-01-10T09:00:01Z', 'no_such_occurrence')
  await expectRefusal('2030-01-12T09:00:00Z', 'no_such_occurrence')
  await expectRefusal('2030-01-07T09:00:00Z', 'occurrence_over')
  await expectRefusal('Thursday', 'bad_format')
  assert.equal((await look(meeting)).version, 0)
})

test('all ends a series, answers in the plural, and keeps the series readable', async () => {
  const meeting = await schedule(alice, weekdays())
  assert.equal((await cancel(alice, meeting, { cancel: 'all' })).body.status, all)
  assert.deepEqual(await look(meeting), { status: 'cancelled', version: 1, days: [] })
  assert.equal((await bob.send('GET', detailsPath(meeting))).body[0].status, 'cancelled')
})

test('current of a series that is over is refused, and the series can be continued', async () => {
  const meeting = await schedule(alice, weekdays())
  clock.set('2030-01-25T09:30:00Z')
  for (const _ of [1, 2]) {
    await expectProblem(cancel(alice, meeting, { cancel: 'current' }), 'invalid_request', ['/cancel occurrence_over'])
  }
  assert.deepEqual(await look(meeting), { status: 'active', version: 0, days: [] })
  const { repeatOptions } = weekdays()
  const later = weekdays({ repeatOptions: { ...repeatOptions, endDate: '2030-01-31T00:00:00Z' } })
  await expectOk(alice.send('PUT', detailsPath(meeting), later))
})

test('current cancels the last date of a series that has been held, and keeps the series', async () => {
  const meeting = await schedule(alice, weekdays())
  clock.set('2030-01-25T09:29:59Z')
  assert.equal((await cancel(alice, meeting, { cancel: 'current' })).body.status, one)
  assert.deepEqual(await look(meeting), { status: 'active', version: 1, days: [] })
  const held = `${detailsPath(meeting)}/occurrences?from=2030-01-01T00:00:00Z&status=all`
  const { occurrences } = (await alice.send('GET', held)).body
  const statuses = occurrences.map(({ status }: { status: string }) => status)
  assert.deepEqual(statuses, [...Array.from({ length: 14 }, () => 'active'), 'cancelled'])
  const past = (await alice.send('GET', '/api/meeting/me?past=true&limit=200')).body.meetingDetails
  assert.ok(past.some(({ _id }: { _id: string }) => _id === meeting._id))
  await expectProblem(cancel(alice, meeting, { cancel: 'current' }), 'invalid_request', ['/cancel occurrence_over'])
})

test('refuses any other value of cancel', async () => {
  const meeting = await schedule(alice)
  const expectRefusal = (body: object, violation: string) =>
    expectProblem(cancel(alice, meeting, body), 'invalid_request', [violation])
  await expectRefusal({ cancel: 'next' }, '/cancel not_allowed')
  await expectRefusal({ cancel: true }, '/cancel wrong_type')
  await expectRefusal({}, '/cancel required')
  await expectRefusal([], ' wrong_type')
  assert.equal((await look(meeting)).status, 'active')
})

test('cancels no second date on a retry with the same Idempotency-Key', async () => {
  const meeting = await schedule(alice, weekdays())
  const key = { 'idempotency-key': 'skip Monday' }
  for (const _ of [1, 2, 3]) await expectOk(cancel(alice, meeting, { cancel: 'current' }, key))
  assert.equal((await look(meeting)).days[0], '01-08')
  await expectProblem(cancel(alice, meeting, { cancel: 'all' }, key), 'key_reused')
})

test('accepts a key again after 24 hours, and not a second before', async () => {
  const meeting = await schedule(alice, weekdays())
  const key = { 'idempotency-key': 'for a day' }
  const skip = async () => {
    await cancel(alice, meeting, { cancel: 'current' }, key)
    return (await look(meeting)).days.length
  }
  assert.equal(await skip(), 14)
  clock.set('2030-01-01T23:59:59Z')
  assert.equal(await skip(), 14)
  clock.set('2030-01-02T00:00:00Z')
  assert.equal(await skip(), 13)
})

test('supports If-Match', async () => {
  const meeting = await schedule(alice, weekdays())
  await expectProblem(cancel(alice, meeting, { cancel: 'current' }, { 'if-match': '"v1"' }), 'stale_version')
  const fresh = await cancel(alice, meeting, { cancel: 'current' }, { 'if-match': '"v0"' })
  await expectOk(fresh)
  assert.equal(fresh.headers.get('etag'), '"v1"')
})

test('allows host, cohost and administrator, refuses a participant, and is not found for a stranger', async () => {
  const meeting = await schedule(alice, weekdays({ cohosts: ['carol@example.org'] }))
  await expectProblem(cancel(bob, meeting, { cancel: 'all' }), 'forbidden')
  await expectProblem(cancel(mallory, meeting, { cancel: 'all' }), 'meeting_not_found')
  await expectOk(cancel(carol, meeting, { cancel: 'current' }))
  await expectOk(cancel(olga, meeting, { cancel: 'current' }))
  assert.equal((await look(meeting)).days.length, 13)
})

test('cancels ten dates for ten simultaneous calls', async () => {
  const meeting = await schedule(alice, weekdays())
  const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(alice, meeting, { cancel: 'current' })))
  assert.ok(answers.every(({ status }) => status === 200))
  assert.equal((await look(meeting)).days.length, 5)
})

test('lists a past meeting as past after its cancellation', async () => {
  const meeting = await schedule(alice, standUp())
  clock.set('2030-01-28T00:00:00Z')
  await cancel(alice, meeting, { cancel: 'all' })
  const path = '/api/meeting/me?status=cancelled&limit=200'
  const ids = async (past: string) =>
    (await alice.send('GET', `${path}&past=${past}`)).body.meetingDetails.map(({ _id }: { _id: string }) => _id)
  assert.ok((await ids('true')).includes(meeting._id))
  assert.ok(!(await ids('false')).includes(meeting._id))
})
