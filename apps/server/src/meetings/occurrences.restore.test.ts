import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPath, detailsPath, meetUsers, schedule, weekdays } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'

const start = '2030-01-01T00:00:00Z'
const { app, clock } = await useApp({ start, environment: { RATE_LIMITS: 'off' } })
const { alice, bob, mallory } = await meetUsers(app)

const mondays = weekdays({
  startTime: '2030-01-07T09:00:00Z',
  endTime: '2030-01-07T09:30:00Z',
  repeatOptions: { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0], timeZone: 'UTC' },
  participants: [bob.email],
})
const second = '2030-01-14T09:00:00Z'
type Meeting = { _id: string }
const pathOf = (meeting: Meeting) => `${detailsPath(meeting)}/occurrences/${encodeURIComponent(second)}`
const cancelSecond = (meeting: Meeting) =>
  alice.send('POST', cancelPath(meeting), { cancel: 'current', occurrence: second })

test('lets a cancelled occurrence take place again, with the change that it had, and mails the series', async () => {
  const meeting = await schedule(alice, mondays)
  await alice.send('PUT', pathOf(meeting), { startTime: '2030-01-14T12:00:00Z' })
  await cancelSecond(meeting)
  await app.mails()
  clock.advance(3 * 60_000)
  const restored = await alice.send('POST', `${pathOf(meeting)}/restore`)
  await expectOk(restored)
  assert.deepEqual([restored.body.status, restored.body.startTime], ['changed', '2030-01-14T12:00:00.000Z'])
  assert.equal(restored.headers.get('etag'), '"v3"')
  const [mail] = await app.mails()
  assert.match(mail?.text ?? '', /Takes place again: Monday,? 14 January 2030/)
  assert.doesNotMatch(mail?.calendar?.text ?? '', /EXDATE/)
  assert.equal(mail?.calendar?.text.match(/BEGIN:VEVENT/g)?.length, 2)

  clock.advance(3 * 60_000)
  const again = await alice.send('POST', `${pathOf(meeting)}/restore`)
  await expectOk(again)
  assert.equal(again.headers.get('etag'), '"v3"', 'nothing was left to restore')
  assert.deepEqual(await app.mails(), [])
})

test('restores none that is over, of a stranger, of another version, or of a cancelled series', async () => {
  const meeting = await schedule(alice, mondays)
  await cancelSecond(meeting)
  const restore = (person = alice, headers: Record<string, string> = {}) =>
    person.send('POST', `${pathOf(meeting)}/restore`, undefined, headers)
  await expectProblem(restore(mallory), 'meeting_not_found')
  await expectProblem(restore(bob), 'forbidden')
  await expectProblem(restore(alice, { 'if-match': '"v0"' }), 'stale_version')
  clock.set('2030-01-14T09:30:00Z')
  await expectProblem(restore(), 'occurrence_over')
  clock.set('2030-01-14T09:29:59Z')
  await expectOk(restore())
  clock.set(start)
  await alice.send('POST', cancelPath(meeting), { cancel: 'all' })
  await expectProblem(restore(), 'meeting_cancelled')
})
