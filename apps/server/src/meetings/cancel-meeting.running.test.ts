import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { cancelPath, detailsPath, meetPeople, type Person, schedule, signUp, weekdays } from '../../test/people.ts'
import { expectOk } from '../../test/replies.ts'
import { as, enter, enterAsGuest, roomPath } from '../../test/rooms/rooms.ts'
import { createClock, startApp } from '../../test/start-app.ts'

/*
 * `all` while a date is running: that date goes on to its end, and every surface says so.
 */

const weekBefore = '2030-01-01T00:00:00Z'
const clock = createClock(weekBefore)
const app = await startApp({ clock })
const { olga, alice, bob, carol } = await meetPeople(app)
afterEach(async () => {
  clock.set(weekBefore)
  await app.mails()
})

const running = '2030-01-08T09:10:00Z'
const end = '2030-01-08T09:30:00Z'

/** A series on weekdays from Monday, 7 January 2030, at 09:00, cancelled on Tuesday while it is running. */
async function cancelWhileRunning(host: Person) {
  const meeting = await schedule(host, weekdays({ cohosts: ['carol@example.org'] }))
  clock.set(running)
  await app.mails()
  const { body } = await host.send('POST', cancelPath(meeting), { cancel: 'all' })
  assert.equal(body.status, 'Your meetings have been cancelled successfully.')
  return meeting
}

type Listed = { _id: string; status: string; nextOccurrence?: { startTime: string; status: string } }

async function list(person: Person, query = '') {
  const { body } = await person.send('GET', `/api/meeting/me?limit=200${query}`)
  return { listed: body.meetingDetails as Listed[], totalCount: body.totalCount as number }
}

test('the reply, and its dates', async () => {
  const meeting = await cancelWhileRunning(alice)
  const [read] = (await bob.send('GET', `${detailsPath(meeting)}?occurrences=5`)).body
  const times = { startTime: '2030-01-08T09:00:00.000Z', endTime: '2030-01-08T09:30:00.000Z' }
  const date = { originalStartTime: times.startTime, ...times, status: 'active' }
  assert.equal(read.status, 'cancelled')
  assert.deepEqual(
    read.occurrences.map(({ responseCounts: _, ...shown }: { responseCounts?: unknown }) => shown),
    [date],
  )
  const path = `${detailsPath(meeting)}/occurrences?from=${running}&to=2030-01-11T00:00:00Z&status=all`
  const statuses = (await bob.send('GET', path)).body.occurrences.map(({ status }: { status: string }) => status)
  assert.deepEqual(statuses, ['active', 'cancelled', 'cancelled'])
})

test('lists: of the host, a participant, and a person who added it, as active until the end of the date', async () => {
  const host = await signUp(app, 'Host')
  const guest = await signUp(app, 'Guest')
  const meeting = await cancelWhileRunning(host)
  await guest.send('POST', `/api/meeting/add/${meeting.svcMeetId}`, { pin: meeting.pin })
  const other = await schedule(host, weekdays())
  await expectOk(guest.send('POST', `/api/meeting/add/${other.svcMeetId}`, { pin: other.pin }))
  for (const person of [host, bob, carol]) {
    for (const query of ['', '&order=asc', '&order=desc', '&past=false', '&status=all', '&status=cancelled']) {
      const { listed, totalCount } = await list(person, query)
      const found = listed.find(({ _id }) => _id === meeting._id)
      assert.deepEqual(
        [found?.status, found?.nextOccurrence?.startTime],
        ['cancelled', '2030-01-08T09:00:00.000Z'],
        query,
      )
      assert.equal(found?.nextOccurrence?.status, 'active', query)
      assert.equal(totalCount, listed.length, query)
      assert.equal(new Set(listed.map(({ _id }) => _id)).size, listed.length, query)
    }
    const isIn = async (query: string) => (await list(person, query)).listed.some(({ _id }) => _id === meeting._id)
    assert.ok(!(await isIn('&past=true')))
    assert.ok(await isIn(`&fromDate=${running}&toDate=2030-01-08T10:00:00Z`))
    assert.ok(!(await isIn('&fromDate=2030-01-09T00:00:00Z')), 'the later dates are off')
    clock.set(end)
    for (const query of ['', '&order=asc', '&past=false', '&past=true']) {
      assert.ok(!(await isIn(query)), query)
      const { listed, totalCount } = await list(person, query)
      assert.equal(totalCount, listed.length, query)
    }
    assert.ok(await isIn('&status=cancelled&past=true'))
    clock.set(running)
  }
})

test('the calendar and conflicts', async () => {
  const meeting = await cancelWhileRunning(alice)
  for (const person of [alice, bob]) {
    const range = 'fromDate=2030-01-08T00:00:00Z&toDate=2030-01-10T00:00:00Z'
    const { occurrences } = (await person.send('GET', `/api/meeting/calendar/me?${range}`)).body
    const { conflicts } = (await person.send('GET', `/api/meeting/conflicts?start=${running}&end=2030-01-10T00:00:00Z`))
      .body
    for (const dates of [occurrences, conflicts] as { meetingId: string; startTime: string; status: string }[][]) {
      const own = dates.filter(({ meetingId }) => meetingId === meeting._id)
      assert.deepEqual(
        own.map(({ startTime, status }) => [startTime, status]),
        [['2030-01-08T09:00:00.000Z', 'active']],
      )
    }
  }
})

test('the email and its calendar: cancelled from the next date on', async () => {
  await cancelWhileRunning(alice)
  const mails = (await app.mails()).filter(({ to }) => to.includes('bob@example.org'))
  assert.equal(mails.length, 1)
  const calendar = (mails[0]?.calendar?.text ?? '').replaceAll('\r\n ', '')
  assert.match(calendar, /RRULE:.*UNTIL=20300108T090000Z(?:.|\r\n)*STATUS:CONFIRMED/)
  assert.match(mails[0]?.text ?? '', /This meeting is cancelled from Wednesday, 9 January 2030/)
})

test('the room: host, cohost, invited and guest enter until the end, and leave only when they want to', async () => {
  const meeting = await schedule(alice, weekdays({ cohosts: ['carol@example.org'] }))
  clock.set(running)
  const before = await enter(app, meeting, as(bob))
  assert.equal(before.state, 'admitted')
  await alice.send('POST', cancelPath(meeting), { cancel: 'all' })
  for (const person of [alice, bob, carol]) {
    const { state, meeting: shown } = await enter(app, meeting, as(person))
    assert.deepEqual([state, shown?.nextOccurrence?.startTime], ['admitted', '2030-01-08T09:00:00.000Z'])
  }
  assert.equal((await enterAsGuest(app, meeting, 'Gus')).reply.state, 'admitted')
  clock.set('2030-01-08T09:29:59Z')
  assert.equal((await enter(app, meeting, as(olga), { pin: meeting.pin })).state, 'admitted')
  clock.set(end)
  assert.equal((await enterAsGuest(app, meeting, 'Late')).reply.state, 'cancelled')
})

test('the host ends the running date as any other', async () => {
  const meeting = await cancelWhileRunning(alice)
  await enter(app, meeting, as(alice))
  await expectOk(alice.send('POST', roomPath(meeting, 'end')), 204)
  assert.equal((await enter(app, meeting, as(bob))).state, 'ended')
})

test('a single meeting that is cancelled while it runs closes its room', async () => {
  const meeting = await schedule(alice)
  clock.set('2030-01-07T09:10:00Z')
  assert.equal((await enter(app, meeting, as(bob))).state, 'admitted')
  await alice.send('POST', cancelPath(meeting), { cancel: 'all' })
  assert.equal((await enter(app, meeting, as(bob))).state, 'cancelled')
  assert.ok(!(await list(bob)).listed.some(({ _id }) => _id === meeting._id))
})
