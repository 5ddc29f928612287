import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '@parley/client'
import { readInvite } from '@parley/contract'
import { datesBetween, readCalendar } from '../../../../test/calendar-readers/read-with-ical-js.ts'
import { cancelPath, detailsPath, meetPeople, type Person, schedule, standUp, weekdays } from '../../test/people.ts'
import { createClock, publicAddress, startApp } from '../../test/start-app.ts'

const clock = createClock('2030-01-01T00:00:00Z')
const app = await startApp({ clock, emails: 'dropped', environment: { EMAIL_VERIFICATION: 'off' } })
const { alice, bob, mallory } = await meetPeople(app)

const invite = (person: Person, meeting: { _id: string }, headers: Record<string, string> = {}) =>
  fetch(`${app.base}${detailsPath(meeting)}/invite.ics`, {
    headers: { authorization: `Bearer ${person.token}`, ...headers },
  })

const year = [new Date('2030-01-01'), new Date('2031-01-01')] as const

test('the file describes the meeting, for its host and its guests', async () => {
  const meeting = await schedule(alice, standUp({ topic: 'Tea; cake, and more', description: 'Bring\n\\ cups' }))
  for (const person of [alice, bob]) {
    const response = await invite(person, meeting)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/calendar; charset=utf-8')
    assert.equal(response.headers.get('content-disposition'), 'attachment; filename="invite.ics"')
    const { method, events } = readCalendar(await response.text())
    const [event] = events
    assert.equal(method, undefined)
    assert.equal(event?.component.getFirstPropertyValue('conference'), meeting.meetingUrl)
    assert.equal(events.length, 1)
    assert.equal(event?.uid, `${meeting._id}@${new URL(publicAddress).hostname}`)
    assert.equal(event?.summary, 'Tea; cake, and more')
    const code = `${meeting.svcMeetId.slice(0, 3)} ${meeting.svcMeetId.slice(3, 6)} ${meeting.svcMeetId.slice(6)}`
    const entrance = `Bring\n\\ cups\n\nJoin: ${meeting.meetingUrl}\nMeeting ID: ${code}\nPIN: ${meeting.pin}`
    assert.match(String(event?.description), /^Bring\n\\ cups\n\n/)
    for (const part of [meeting.meetingUrl, code, meeting.pin]) assert.ok(event?.description?.includes(part), entrance)
    assert.equal(event?.location, meeting.meetingUrl)
    assert.equal(event?.organizer, 'mailto:alice@example.org')
    assert.deepEqual(datesBetween(events, ...year), ['2030-01-07T09:00:00.000Z/2030-01-07T09:30:00.000Z'])
  }
})

test('for people without access the meeting does not exist', async () => {
  const meeting = await schedule(alice)
  const response = await invite(mallory, meeting)
  assert.equal(response.status, 404)
  assert.equal(response.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  assert.equal((await invite(alice, { _id: 'x' })).status, 404)
})

test('a token needs meeting:read', async () => {
  const meeting = await schedule(alice)
  const tokenWith = async (scope: string) =>
    (await alice.send('POST', '/api/auth/tokens', { name: scope, scopes: [scope] })).body.token
  const withScope = async (scope: string) =>
    invite(alice, meeting, { authorization: `Bearer ${await tokenWith(scope)}` })
  assert.equal((await withScope('meeting:read')).status, 200)
  assert.equal((await withScope('meeting:create')).status, 403)
})

test('a client that has the file gets 304', async () => {
  const meeting = await schedule(alice)
  const etag = String((await invite(alice, meeting)).headers.get('etag'))
  assert.equal((await invite(alice, meeting, { 'if-none-match': etag })).status, 304)
  const moved = standUp({ startTime: '2030-01-08T09:00:00Z', endTime: '2030-01-08T09:30:00Z' })
  assert.equal((await alice.send('PUT', detailsPath(meeting), moved)).status, 200)
  const changed = await invite(alice, meeting, { 'if-none-match': etag })
  assert.equal(changed.status, 200)
  const { events } = readCalendar(await changed.text())
  assert.equal(events[0]?.sequence, 1)
})

test('cancelled meetings are marked as cancelled; a series keeps the dates that were held', async () => {
  const single = await schedule(alice)
  await alice.send('POST', cancelPath(single), { cancel: 'all' })
  const cancelled = readCalendar(await (await invite(alice, single)).text())
  assert.equal(cancelled.events[0]?.component.getFirstPropertyValue('status'), 'CANCELLED')

  const series = await schedule(alice, weekdays())
  clock.set('2030-01-09T12:00:00Z')
  await alice.send('POST', cancelPath(series), { cancel: 'all' })
  const held = readCalendar(await (await invite(alice, series)).text())
  assert.equal(held.events[0]?.component.getFirstPropertyValue('status'), 'CONFIRMED')
  assert.deepEqual(
    datesBetween(held.events, ...year).map((date) => date.slice(0, 10)),
    ['2030-01-07', '2030-01-08', '2030-01-09'],
  )
  clock.set('2030-01-01T00:00:00Z')
})

test('the typed client returns it as text', async () => {
  const meeting = await schedule(alice)
  const { call } = connect({ base: app.base, token: alice.token })
  const text = await call(readInvite, { params: { meetingId: meeting._id } })
  assert.ok(text.startsWith('BEGIN:VCALENDAR\r\n'))
})
