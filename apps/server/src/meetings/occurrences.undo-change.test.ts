import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPath, detailsPath, meetUsers, schedule, weekdays } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'

const { app, clock } = await useApp({ start: '2030-01-01T00:00:00Z', environment: { RATE_LIMITS: 'off' } })
const { alice, bob, mallory } = await meetUsers(app)

const mondays = weekdays({
  startTime: '2030-01-07T09:00:00Z',
  endTime: '2030-01-07T09:30:00Z',
  repeatOptions: { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0], timeZone: 'UTC' },
  participants: [bob.email],
})
const second = '2030-01-14T09:00:00Z'
const pathOf = (meeting: { _id: string }) => `${detailsPath(meeting)}/occurrences/${encodeURIComponent(second)}`

test('gives the occurrence the times and texts of the series again, and mails that', async () => {
  const meeting = await schedule(alice, mondays)
  await alice.send('PUT', pathOf(meeting), { startTime: '2030-01-14T12:00:00Z', topic: 'Review' })
  await app.mails()
  clock.advance(3 * 60_000)
  const undone = await alice.send('DELETE', pathOf(meeting), undefined, { 'if-match': '"v1"' })
  await expectOk(undone)
  assert.deepEqual(undone.body, {
    startTime: '2030-01-14T09:00:00.000Z',
    endTime: '2030-01-14T09:30:00.000Z',
    originalStartTime: '2030-01-14T09:00:00.000Z',
    status: 'active',
  })
  assert.equal(undone.headers.get('etag'), '"v2"')
  const [mail] = await app.mails()
  assert.equal(mail?.subject, 'Changed on 14 January 2030: Stand-up')
  for (const line of ['RECURRENCE-ID;TZID=Etc/UTC:20300114T090000', 'DTSTART;TZID=Etc/UTC:20300114T090000'])
    assert.ok(mail?.calendar?.text.replace('TZID=UTC', 'TZID=Etc/UTC').includes(line.split(':')[1] ?? ''), line)

  clock.advance(3 * 60_000)
  const again = await alice.send('DELETE', pathOf(meeting))
  await expectOk(again)
  assert.equal(again.headers.get('etag'), '"v2"', 'nothing was left to undo')
  assert.deepEqual(await app.mails(), [])
})

test('needs the meeting’s host, its present version, and an occurrence that takes place', async () => {
  const meeting = await schedule(alice, mondays)
  await alice.send('PUT', pathOf(meeting), { topic: 'Review' })
  await expectProblem(alice.send('DELETE', pathOf(meeting), undefined, { 'if-match': '"v0"' }), 'stale_version')
  await expectProblem(mallory.send('DELETE', pathOf(meeting)), 'meeting_not_found')
  await expectProblem(bob.send('DELETE', pathOf(meeting)), 'forbidden')
  await alice.send('POST', cancelPath(meeting), { cancel: 'current', occurrence: second })
  await expectProblem(alice.send('DELETE', pathOf(meeting)), 'occurrence_cancelled')
  await app.mails()
})
