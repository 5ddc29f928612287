import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPath, detailsPath, meetUsers, type Person, schedule, weekdays } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'

const { app, clock } = await useApp({ start: '2030-01-01T00:00:00Z', environment: { RATE_LIMITS: 'off' } })
const { alice, bob, mallory } = await meetUsers(app)

/** Weekdays of three weeks from Monday, 7 January 2030, 09:00 in London; `at` is another time of day. */
const series = (at = '09:00', rule: object = {}) =>
  weekdays({
    startTime: `2030-01-07T${at}:00Z`,
    endTime: `2030-01-07T${at.slice(0, 2)}:59:00Z`,
    repeatOptions: { ...weekdays().repeatOptions, ...rule },
  })
const everyOther = { repeat: 'daily', interval: 2 }

const cancel = (meeting: { _id: string }, occurrence: string) =>
  alice.send('POST', cancelPath(meeting), { cancel: 'current', occurrence })

async function change(meeting: { _id: string }, changes: object) {
  const body = await expectOk(alice.send('PUT', detailsPath(meeting), changes))
  return body
}

/** The dates until 16 January, written as `07T09:00`. */
async function datesOf(meeting: { _id: string }, status = 'active') {
  const path = `${detailsPath(meeting)}/occurrences?from=2030-01-01T00:00:00Z&to=2030-01-17T00:00:00Z&status=${status}`
  const { body } = await alice.send('GET', path)
  const shown = body.occurrences as { startTime: string; status: string }[]
  return shown
    .filter((occurrence) => status === 'active' || occurrence.status === 'cancelled')
    .map(({ startTime }) => startTime.slice(8, 16))
}
const starts = (dates: { startTime: string }[]) => dates.map(({ startTime }) => startTime.slice(8, 16))

test('keeps a cancelled date cancelled through repeated changes of the time of day', async () => {
  const meeting = await schedule(alice, series())
  await cancel(meeting, '2030-01-08T09:00:00Z')
  await app.mails()
  for (const at of ['10:00', '23:30', '00:15', '09:00']) {
    const changed = await change(meeting, series(at))
    assert.deepEqual([changed.restoredOccurrences, changed.removedOccurrences], [[], []])
    assert.deepEqual(await datesOf(meeting, 'all'), [`08T${at}`])
    assert.equal((await datesOf(meeting)).length, 7)
    for (const { calendar, text } of await app.mails()) {
      assert.match(calendar?.text ?? '', new RegExp(`EXDATE;TZID=Europe/London:20300108T${at.replace(':', '')}00`))
      assert.doesNotMatch(text, /Takes place again|No longer takes place/)
    }
  }
})

test('moves a cancelled date in lists, reminders and the room along with the change', async () => {
  const meeting = await schedule(alice, series())
  await cancel(meeting, '2030-01-07T09:00:00Z')
  await change(meeting, series('10:00'))
  await app.mails()
  const { rows } = await app.pool.query('select occurrence from meeting_reminder where meeting_id = $1', [meeting._id])
  assert.equal(rows[0].occurrence.toISOString(), '2030-01-08T10:00:00.000Z')
  const entered = await bob.send('POST', `/api/rooms/${meeting.svcMeetId}/enter`, { pin: meeting.pin })
  assert.equal(entered.body.meeting.nextOccurrence.startTime, '2030-01-08T10:00:00.000Z')
  const range = 'fromDate=2030-01-07T00:00:00Z&toDate=2030-01-08T00:00:00Z'
  const { body } = await alice.send('GET', `/api/meeting/calendar/me?${range}`)
  const own = (body.occurrences as { meetingId: string }[]).filter(({ meetingId }) => meetingId === meeting._id)
  assert.deepEqual(own, [])
})

test('drops a cancellation whose date the changed rule lacks; reply and email say when the date returns', async () => {
  const meeting = await schedule(alice, series())
  await cancel(meeting, '2030-01-08T09:00:00Z')
  await app.mails()
  const fewer = await change(meeting, series('09:00', everyOther))
  assert.deepEqual(fewer.restoredOccurrences, [])
  assert.deepEqual(starts(fewer.removedOccurrences).slice(0, 3), ['10T09:00', '14T09:00', '16T09:00'])
  const [reduced] = await app.mails()
  assert.match(reduced?.text ?? '', /No longer takes place: Thursday, 10 January 2030 at 09:00\n/)
  assert.ok(reduced?.html.includes('No longer takes place'))
  assert.deepEqual(await datesOf(meeting, 'all'), [])

  const again = await change(meeting, series('11:00'))
  assert.deepEqual(starts(again.restoredOccurrences), ['08T11:00'])
  assert.deepEqual(again.restoredOccurrences[0].endTime, '2030-01-08T11:59:00.000Z')
  const [restored] = await app.mails()
  assert.match(restored?.text ?? '', /Takes place again: Tuesday, 8 January 2030 at 11:00\n/)
  assert.ok((await datesOf(meeting)).includes('08T11:00'))

  // After its return it is an ordinary date.
  await change(meeting, series('11:00', everyOther))
  assert.deepEqual((await change(meeting, series('11:00'))).restoredOccurrences, [])
  await cancel(meeting, '2030-01-08T11:00:00Z')
  assert.deepEqual(await datesOf(meeting, 'all'), ['08T11:00'])
  await app.mails()
})

test('restores a cancelled date when the series becomes a single meeting on it', async () => {
  const meeting = await schedule(alice, series())
  await cancel(meeting, '2030-01-07T09:00:00Z')
  await app.mails()
  const single = await change(meeting, series('09:00', { repeat: 'none' }))
  assert.deepEqual(starts(single.restoredOccurrences), ['07T09:00'])
  assert.equal(single.removedOccurrences.length, 14)
  const [mail] = await app.mails()
  assert.match(mail?.text ?? '', /Takes place again: Monday, 7 January 2030 at 09:00\n/)
  const whole = await change(meeting, series())
  assert.deepEqual(whole.restoredOccurrences, [])
  assert.equal((await datesOf(meeting)).length, 8)
  await app.mails()
})

test('emails the new rule of a series that moves to other days, not each removed date', async () => {
  const mondays = { daysOfWeek: [0, 1, 0, 0, 0, 0, 0] }
  const meeting = await schedule(alice, series('09:00', mondays))
  await app.mails()
  const moved = await change(meeting, series('09:00', { daysOfWeek: [0, 0, 1, 0, 0, 0, 0] }))
  assert.deepEqual(starts(moved.removedOccurrences), ['07T09:00', '14T09:00', '21T09:00'])
  const [mail] = await app.mails()
  assert.match(mail?.text ?? '', /Before: Every week on Monday, until .*\n {2}Now: Every week on Tuesday, until/)
  assert.doesNotMatch(mail?.text ?? '', /No longer takes place/)
})

test('names five removed dates in an email, and says that there are more', async () => {
  const meeting = await schedule(alice, series())
  await app.mails()
  await change(meeting, series('09:00', { endDate: '2030-01-16T23:00:00Z' }))
  const [seven] = await app.mails()
  const named = /No longer takes place: ((?:.+\n {2})*.+)\n/.exec(seven?.text ?? '')?.[1]?.split('\n  ') ?? []
  assert.equal(named.length, 6)
  assert.equal(named.at(-1), 'and more')
  await change(meeting, series('09:00', { endDate: '2030-01-09T23:00:00Z' }))
  const [five] = await app.mails()
  assert.equal((five?.text.match(/No longer takes place: ((?:.+\n {2})*.+)\n/)?.[1] ?? '').split('\n').length, 5)
  assert.doesNotMatch(five?.text ?? '', /and more/)
})

test('a row without a named date cancels no date after an update', async () => {
  const meeting = await schedule(alice, series('10:00'))
  // As earlier updates left them when a cancellation named an instant: no email said that 09:00 is cancelled.
  await app.pool.query(
    `insert into skipped_occurrence values ($1, '2030-01-08T09:00:00Z', $2, '2030-01-01T00:00:00Z')`,
    [meeting._id, alice.profile._id],
  )
  const { restoredOccurrences } = await change(meeting, series('09:00'))
  assert.deepEqual(restoredOccurrences, [])
  assert.ok((await datesOf(meeting)).includes('08T09:00'))
  assert.deepEqual(await datesOf(meeting, 'all'), [])
  await app.mails()
})

const preview = async (person: Person, body: object) => person.send('POST', '/api/meeting/preview', body)
const previewOf = ({ startTime, endTime, repeatOptions }: ReturnType<typeof series>, meeting: { _id: string }) => ({
  startTime,
  endTime,
  repeatOptions,
  limit: 3,
  meetingId: meeting._id,
})

test('the preview of a change marks cancelled dates, and lists returning, removed and restored dates', async () => {
  const meeting = await schedule(alice, series())
  await cancel(meeting, '2030-01-08T09:00:00Z')
  await app.mails()
  const shown = async (to: ReturnType<typeof series>) => {
    const { status, body } = await preview(alice, previewOf(to, meeting))
    assert.equal(status, 200, JSON.stringify(body))
    const { occurrences, restoredOccurrences, removedOccurrences, droppedCancellations } = body
    return {
      dates: occurrences.map(
        (one: { startTime: string; status: string }) => `${one.startTime.slice(8, 16)} ${one.status}`,
      ),
      restored: starts(restoredOccurrences),
      removed: starts(removedOccurrences).length,
      dropped: starts(droppedCancellations),
    }
  }
  const later = ['07T10:00 active', '08T10:00 cancelled', '09T10:00 active']
  assert.deepEqual(await shown(series('10:00')), { dates: later, restored: [], removed: 0, dropped: [] })
  const other = ['07T09:00 active', '09T09:00 active', '11T09:00 active']
  assert.deepEqual(await shown(series('09:00', everyOther)), {
    dates: other,
    restored: [],
    removed: 6,
    dropped: ['08T09:00'],
  })
  await change(meeting, series('09:00', everyOther))
  const back = ['07T09:00 active', '08T09:00 active', '09T09:00 active']
  assert.deepEqual(await shown(series()), { dates: back, restored: ['08T09:00'], removed: 2, dropped: [] })
  await app.mails()
})

test('names a removed date that had a topic of its own by that topic, which no later reply has', async () => {
  const meeting = await schedule(alice, series())
  const changeOne = async (start: string, body: object) => {
    await expectOk(alice.send('PUT', `${detailsPath(meeting)}/occurrences/${start}`, body))
  }
  await changeOne('2030-01-08T09:00:00Z', { topic: 'Review', startTime: '2030-01-08T12:00:00Z' })
  await changeOne('2030-01-09T09:00:00Z', { topic: 'Still there' })
  await changeOne('2030-01-10T09:00:00Z', { startTime: '2030-01-10T12:00:00Z' })
  const expected = [
    {
      startTime: '2030-01-08T12:00:00.000Z',
      endTime: '2030-01-08T12:59:00.000Z',
      originalStartTime: '2030-01-08T09:00:00.000Z',
      topic: 'Review',
    },
    {
      startTime: '2030-01-10T12:00:00.000Z',
      endTime: '2030-01-10T12:59:00.000Z',
      originalStartTime: '2030-01-10T09:00:00.000Z',
    },
  ]
  const fewer = series('09:00', everyOther)
  const { body } = await preview(alice, previewOf(fewer, meeting))
  assert.deepEqual(body.removedOccurrences.slice(0, 2), expected)
  assert.deepEqual((await change(meeting, fewer)).removedOccurrences.slice(0, 2), expected)
  const { body: left } = await alice.send('GET', `${detailsPath(meeting)}/occurrences?status=all`)
  assert.deepEqual(
    left.occurrences.flatMap(({ topic }: { topic?: string }) => topic ?? []),
    ['Still there'],
  )
  await app.mails()
})

test('the preview of a running series shows future dates, and stores nothing', async () => {
  const week = series('09:00', { endDate: '2030-01-11T23:00:00Z' })
  const meeting = await schedule(alice, week)
  await app.mails()
  clock.set('2030-01-09T09:30:00Z')
  const { body } = await preview(alice, previewOf(week, meeting))
  assert.deepEqual(starts(body.occurrences), ['09T09:00', '10T09:00', '11T09:00'])
  assert.deepEqual(body.warnings, ['starts_in_past'])
  const { meetingId: _, ...asNew } = previewOf(week, meeting)
  assert.deepEqual(starts((await preview(alice, asNew)).body.occurrences), ['07T09:00', '08T09:00', '09T09:00'])
  clock.set('2030-01-12T00:00:00Z')
  const over = (await preview(alice, previewOf(week, meeting))).body
  assert.deepEqual(starts(over.occurrences), ['07T09:00', '08T09:00', '09T09:00'])
  assert.deepEqual(over.warnings, ['starts_in_past', 'over'])
  clock.set('2030-01-01T00:00:00Z')
  assert.deepEqual((await preview(alice, asNew)).body.warnings, [])
  assert.equal((await alice.send('GET', detailsPath(meeting))).body[0].__v, 0)
})

test('allows a preview of a change only to people who may change the meeting, with a suitable token', async () => {
  const meeting = await schedule(alice, series())
  await app.mails()
  const asked = previewOf(series(), meeting)
  await expectProblem(preview(mallory, asked), 'meeting_not_found')
  await expectProblem(preview(bob, asked), 'forbidden')
  await expectProblem(preview(alice, { ...asked, meetingId: 'x' }), 'meeting_not_found')
  const tokenWith = async (scopes: string[]) => {
    const { body } = await alice.send('POST', '/api/auth/tokens', { name: scopes.join(), scopes })
    return { authorization: `Bearer ${body.token}` }
  }
  const path = '/api/meeting/preview'
  const create = await tokenWith(['meeting:create'])
  await expectProblem(alice.send('POST', path, asked, create), 'insufficient_scope')
  const { meetingId: _, ...asNew } = asked
  await expectOk(alice.send('POST', path, asNew, create))
  const both = await tokenWith(['meeting:create', 'meeting:update'])
  await expectOk(alice.send('POST', path, asked, both))
  await alice.send('POST', cancelPath(meeting), { cancel: 'all' })
  await expectProblem(preview(alice, asked), 'meeting_cancelled')
  await app.mails()
})

test('refuses a change to a rule whose dates are all cancelled, in the preview too', async () => {
  const meeting = await schedule(alice, series())
  await cancel(meeting, '2030-01-07T09:00:00Z')
  await app.mails()
  const only = series('10:00', { endDate: '2030-01-07T23:00:00Z' })
  const refused = await preview(alice, previewOf(only, meeting))
  assert.equal(refused.body.errors[0].code, 'no_occurrence')
  const kept = await alice.send('PUT', detailsPath(meeting), only)
  assert.equal(kept.body.errors[0].code, 'no_occurrence')
})
