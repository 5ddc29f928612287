import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '@parley/client'
import { readInvite } from '@parley/contract'
import { datesBetween, readCalendar } from '../../../../test/calendar-readers/read-with-ical-js.ts'
import { createFeed, feedPath } from '../../test/calendar-feeds.ts'
import {
  cancelPath,
  detailsPath,
  type Person,
  password,
  schedule,
  sendRequest,
  standUp,
  weekdays,
} from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { publicAddress, startApp, tokenIn } from '../../test/start-app.ts'
import { useApp } from '../../test/use-app.ts'
import {
  createReadingLimits,
  limitsOfCalendar,
  maxCompositions,
  maxWaitingReaders,
  readingLimits,
  replyWithCalendar,
} from './calendars.ts'

const { app, clock, meet } = await useApp({
  start: '2030-01-01T00:00:00Z',
  emails: 'dropped',
  environment: { EMAIL_VERIFICATION: 'off' },
})

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${app.base}${path}`, { headers })
const statusOf = async (path: string) => (await get(path)).status

async function readFeed(path: string) {
  const response = await get(path)
  assert.equal(response.status, 200)
  return readCalendar(await response.text())
}

const topicsOf = async (path: string) => (await readFeed(path)).events.map(({ summary }) => summary).toSorted()
const year = [new Date('2030-01-01'), new Date('2031-01-01')] as const

test('Alice renews the address of her calendar: the new one works, and the old one does not', async () => {
  const [alice] = await meet('Alice')
  const old = await createFeed(alice)
  assert.equal(await statusOf(old), 200)
  const renewed = await createFeed(alice)
  assert.notEqual(renewed, old)
  assert.deepEqual([await statusOf(old), await statusOf(renewed)], [404, 200])
  const { entries } = await expectOk(alice.send('GET', '/api/auth/security-log'))
  assert.equal(entries[0].action, 'calendar-feed.created')
})

test('one of two addresses that are created at the same time works', async () => {
  const [carol] = await meet('Carol')
  const both = await Promise.all([createFeed(carol), createFeed(carol)])
  assert.deepEqual((await Promise.all(both.map(statusOf))).toSorted(), [200, 404])
})

test('Alice reads since when her calendar has an address, and not the address; Bob’s has none', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  assert.deepEqual(await expectOk(alice.send('GET', feedPath)), { createdOn: null })
  await createFeed(alice)
  assert.deepEqual(await expectOk(alice.send('GET', feedPath)), { createdOn: '2030-01-01T00:00:00.000Z' })
  clock.advance(1_000)
  await createFeed(alice)
  assert.deepEqual(await expectOk(alice.send('GET', feedPath)), { createdOn: '2030-01-01T00:00:01.000Z' })
  assert.deepEqual(await expectOk(bob.send('GET', feedPath)), { createdOn: null })
})

test('Alice deletes the address of her calendar, once; Bob’s stays', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const [hers, his] = [await createFeed(alice), await createFeed(bob)]
  const deleted = await expectOk(alice.send('DELETE', feedPath))
  assert.deepEqual(deleted, { status: 'The address of your calendar is ended.' })
  assert.deepEqual([await statusOf(hers), await statusOf(his)], [404, 200])
  assert.deepEqual(await expectOk(alice.send('GET', feedPath)), { createdOn: null })
  await expectProblem(alice.send('DELETE', feedPath), 'calendar_not_found')
  const { entries } = await expectOk(alice.send('GET', '/api/auth/security-log'))
  assert.deepEqual(
    entries.slice(0, 2).map(({ action }: { action: string }) => action),
    ['calendar-feed.deleted', 'calendar-feed.created'],
  )
})

test('a feed contains its owner’s hosted meetings and invitations, and nothing else', async () => {
  const [alice, bob, carol] = await meet('Alice', 'Bob', 'Carol')
  await schedule(alice, standUp({ topic: 'With Bob', participants: [bob.email] }))
  await schedule(carol, standUp({ topic: 'Of Carol', participants: [alice.email] }))
  await schedule(carol, standUp({ topic: 'Without Alice', participants: [] }))
  const [ofAlice, ofBob] = [await createFeed(alice), await createFeed(bob)]
  assert.deepEqual(await topicsOf(ofAlice), ['Of Carol', 'With Bob'])
  assert.deepEqual(await topicsOf(ofBob), ['With Bob'])

  const response = await get(ofAlice)
  const { headers } = response
  assert.equal(headers.get('content-type'), 'text/calendar; charset=utf-8')
  assert.equal(headers.get('cache-control'), 'private, no-cache')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  const text = await response.text()
  for (const line of ['METHOD:PUBLISH', 'X-WR-CALNAME:Parley: Alice Test', 'X-PUBLISHED-TTL:PT1H']) {
    assert.ok(text.includes(`\r\n${line}\r\n`), line)
  }
  assert.doesNotMatch(text, /ATTENDEE/)
})

test('a feed keeps the dates of a series in its zone, without the cancelled ones', async () => {
  const [host] = await meet('Mallory')
  const feed = await createFeed(host)
  const meeting = await schedule(host, weekdays())
  const oneDate = { cancel: 'current', occurrence: '2030-01-09T09:00:00Z' }
  await expectOk(host.send('POST', cancelPath(meeting), oneDate))
  const { events } = await readFeed(feed)
  const path = `${detailsPath(meeting)}/occurrences?from=2030-01-01T00:00:00Z`
  const { occurrences } = await expectOk(host.send('GET', path))
  const ours = occurrences.map((date: { startTime: string; endTime: string }) => `${date.startTime}/${date.endTime}`)
  assert.equal(ours.length, 14)
  assert.deepEqual(datesBetween(events, ...year), ours)
  assert.equal(events[0]?.startDate.zone?.tzid, 'Europe/London')
  assert.equal(events[0]?.description?.includes(`PIN: ${meeting.pin}`), true)
  assert.equal(events[0]?.location, meeting.meetingUrl)

  // Past dates of a series that is cancelled later stay.
  clock.set('2030-01-16T12:00:00Z')
  await expectOk(host.send('POST', cancelPath(meeting), { cancel: 'all' }))
  const held = ours.filter((date: string) => date < '2030-01-16T12')
  assert.equal(held.length, 7)
  assert.deepEqual(datesBetween((await readFeed(feed)).events, ...year), held)
})

test('a feed omits cancelled and declined meetings, and meetings over for 90 days', async () => {
  const [alice, carol] = await meet('Alice', 'Carol')
  const feed = await createFeed(alice)
  const cancelled = await schedule(alice, standUp({ topic: 'Off' }))
  await alice.send('POST', cancelPath(cancelled), { cancel: 'all' })
  await schedule(
    alice,
    standUp({ topic: 'Long ago', startTime: '2029-10-02T23:00:00Z', endTime: '2029-10-03T00:00:00Z' }),
  )
  await schedule(
    alice,
    standUp({ topic: 'A while ago', startTime: '2029-10-02T23:00:01Z', endTime: '2029-10-03T00:00:01Z' }),
  )
  assert.deepEqual(await topicsOf(feed), ['A while ago'])

  const invited = await schedule(carol, standUp({ topic: 'Of Carol', participants: [alice.email] }))
  assert.deepEqual(await topicsOf(feed), ['A while ago', 'Of Carol'])
  await app.pool.query(`update participant set response = 'declined' where meeting_id = $1`, [invited._id])
  assert.deepEqual(await topicsOf(feed), ['A while ago'])
})

test('a feed omits invitations to an unverified address, which may be another person’s', async () => {
  // Addresses count as confirmed while confirmation is off; then the operator turns it on.
  const strict = await startApp({ clock, emails: 'dropped', environment: { EMAIL_VERIFICATION: 'required' } })
  const join = async (name: string) => {
    const person = { name, lname: 'Test', email: `${name.toLowerCase()}@example.org`, password }
    await expectOk(sendRequest(strict, 'POST', '/api/auth/sign-up', person), 202)
    const [mail] = await strict.mails()
    await sendRequest(strict, 'POST', '/api/auth/verify-email', { token: tokenIn(mail) })
    const { body } = await sendRequest(strict, 'POST', '/api/auth/sign-in', person)
    return (method: string, path: string, sent?: object) =>
      sendRequest(strict, method, path, sent, { authorization: `Bearer ${body.token}` })
  }
  const [zoe, walter] = [await join('Zoe'), await join('Walter')]
  await zoe('POST', '/api/meeting', standUp({ topic: 'For Walter', participants: ['walter@example.org'] }))
  await walter('POST', '/api/meeting', standUp({ topic: 'By Walter', participants: [] }))
  const { body } = await walter('POST', feedPath)
  const topics = async () => {
    const response = await fetch(strict.base + body.url.slice(publicAddress.length))
    return readCalendar(await response.text())
      .events.map(({ summary }) => summary)
      .toSorted()
  }
  assert.deepEqual(await topics(), ['By Walter', 'For Walter'])
  await strict.pool.query(`update account set email_verified_at = null where email = 'walter@example.org'`)
  assert.deepEqual(await topics(), ['By Walter'])
})

test('answers 304 for an unchanged feed', async () => {
  const [carol] = await meet('Carol')
  const feed = await createFeed(carol)
  const first = await get(feed)
  const etag = String(first.headers.get('etag'))
  assert.match(etag, /^"[\w-]{22}"$/)
  // Time alone changes nothing.
  clock.advance(60_000)
  for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await get(feed, { 'if-none-match': held })
    assert.equal(again.status, 304, held)
    assert.equal(await again.text(), '')
    assert.equal(again.headers.get('etag'), etag)
  }
  await schedule(carol, standUp({ topic: 'Another' }))
  const changed = await get(feed, { 'if-none-match': etag })
  assert.equal(changed.status, 200)
  assert.notEqual(changed.headers.get('etag'), etag)
  assert.equal((await fetch(`${app.base}${feed}`, { method: 'HEAD' })).status, 200)
})

test('a new password and a disabled account end the address of a feed', async () => {
  const [bob] = await meet('Bob')
  const feed = await createFeed(bob)
  const kept = { currentPassword: 'correct horse battery staple', newPassword: 'another horse battery staple' }
  await expectOk(bob.send('POST', '/api/auth/password', { ...kept, signOutEverywhere: false }))
  assert.equal((await get(feed)).status, 200)
  const changed = { currentPassword: kept.newPassword, newPassword: kept.currentPassword }
  await expectOk(bob.send('POST', '/api/auth/password', changed))
  assert.equal((await get(feed)).status, 404)

  const anew = await createFeed(bob)
  await app.pool.query('update account set disabled_at = now() where id = $1', [bob.profile._id])
  assert.equal((await get(anew)).status, 404)
})

test('answers every invalid address of a feed with the same 404', async () => {
  const [alice] = await meet('Alice')
  const { token } = alice
  const wrong = ['x', 'cal_', `cal_${'0'.repeat(49)}`, token, '%00', 'x'.repeat(200)]
  for (const secret of wrong) {
    const { status, headers } = await get(`/calendar/${secret}.ics`)
    assert.deepEqual([status, headers.get('content-type')], [404, 'application/problem+json; charset=utf-8'], secret)
  }
})

test('never logs the secret of a feed, nor stores it in clear', async () => {
  const [alice] = await meet('Alice')
  const feed = await createFeed(alice)
  const secret = feed.slice('/calendar/'.length, -'.ics'.length)
  await get(feed)
  await get(feed.slice(0, -1))
  await get(`${feed}?x=1`)
  await fetch(`${app.base}${feed}`, { method: 'POST' })
  const { rows } = await app.pool.query('select * from calendar_feed')
  assert.equal(JSON.stringify(rows).includes(secret), false)
  const { rows: entries } = await app.pool.query('select * from audit_entry')
  assert.equal(JSON.stringify(entries).includes(secret), false)
  assert.ok(app.logged.some((line) => line.includes('/calendar/:secret.ics')))
  assert.equal(
    app.logged.some((line) => line.includes(secret)),
    false,
  )
})

/** Request the file of a meeting. */
const fileOf = (person: Person, meeting: { _id: string }, headers: Record<string, string> = {}) =>
  fetch(`${app.base}${detailsPath(meeting)}/invite.ics`, {
    headers: { authorization: `Bearer ${person.token}`, ...headers },
  })

test('the file of a meeting describes it, for its host and its guests', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const texts = { topic: 'Tea; cake, and more', description: 'Bring\n\\ cups' }
  const meeting = await schedule(alice, standUp({ ...texts, participants: [bob.email] }))
  for (const person of [alice, bob]) {
    const response = await fileOf(person, meeting)
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
    assert.equal(event?.organizer, `mailto:${alice.email}`)
    assert.deepEqual(datesBetween(events, ...year), ['2030-01-07T09:00:00.000Z/2030-01-07T09:30:00.000Z'])
  }
})

test('there is no file for people without access', async () => {
  const [alice, mallory] = await meet('Alice', 'Mallory')
  const meeting = await schedule(alice)
  const response = await fileOf(mallory, meeting)
  assert.equal(response.status, 404)
  assert.equal(response.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  assert.equal((await fileOf(alice, { _id: 'x' })).status, 404)
})

test('a client that has the file gets 304', async () => {
  const [alice] = await meet('Alice')
  const meeting = await schedule(alice)
  const etag = String((await fileOf(alice, meeting)).headers.get('etag'))
  assert.equal((await fileOf(alice, meeting, { 'if-none-match': etag })).status, 304)
  const moved = standUp({ startTime: '2030-01-08T09:00:00Z', endTime: '2030-01-08T09:30:00Z' })
  await expectOk(alice.send('PUT', detailsPath(meeting), moved))
  const changed = await fileOf(alice, meeting, { 'if-none-match': etag })
  assert.equal(changed.status, 200)
  const { events } = readCalendar(await changed.text())
  assert.equal(events[0]?.sequence, 1)
})

test('the file marks a meeting as cancelled, and keeps the dates of a series that were held', async () => {
  const [alice] = await meet('Alice')
  const single = await schedule(alice)
  await alice.send('POST', cancelPath(single), { cancel: 'all' })
  const cancelled = readCalendar(await (await fileOf(alice, single)).text())
  assert.equal(cancelled.events[0]?.component.getFirstPropertyValue('status'), 'CANCELLED')

  const series = await schedule(alice, weekdays())
  clock.set('2030-01-09T12:00:00Z')
  await alice.send('POST', cancelPath(series), { cancel: 'all' })
  const held = readCalendar(await (await fileOf(alice, series)).text())
  assert.equal(held.events[0]?.component.getFirstPropertyValue('status'), 'CONFIRMED')
  assert.deepEqual(
    datesBetween(held.events, ...year).map((date) => date.slice(0, 10)),
    ['2030-01-07', '2030-01-08', '2030-01-09'],
  )
})

test('the typed client returns the file as text', async () => {
  const [alice] = await meet('Alice')
  const meeting = await schedule(alice)
  const { call } = connect({ base: app.base, token: alice.token })
  const text = await call(readInvite, { params: { meetingId: meeting._id } })
  assert.ok(text.startsWith('BEGIN:VCALENDAR\r\n'))
})

function createAnswer() {
  const headers = new Map<string, string>()
  const sent = { status: 200 }
  const answer = {
    header: (name: string, value: string) => void headers.set(name, value),
    status: (code: number) => {
      sent.status = code
    },
  }
  return { answer, headers, sent }
}

test('composes nothing for a client that has the calendar, and again when what it depends on changes', async () => {
  let composed = 0
  const compose = async () => `calendar ${++composed}`
  const reply = async (dependsOn: unknown, ifNoneMatch?: string) => {
    const { answer, headers, sent } = createAnswer()
    const text = await replyWithCalendar({ dependsOn, compose }, { ifNoneMatch }, answer)
    return { text, status: sent.status, etag: String(headers.get('etag')) }
  }
  const first = await reply(['meeting', 1])
  assert.deepEqual([first.text, first.status], ['calendar 1', 200])
  assert.deepEqual(await reply(['meeting', 1], first.etag), { text: '', status: 304, etag: first.etag })
  assert.equal(composed, 1)
  const changed = await reply(['meeting', 2], first.etag)
  assert.deepEqual([changed.text, changed.status], ['calendar 2', 200])
})

/** Work that ends when the test says so. */
function createWorks() {
  const ends: (() => void)[] = []
  const work = () => new Promise<string>((resolve) => ends.push(() => resolve('done')))
  return { work, ends }
}
/** End the first works, also those that begin meanwhile. */
async function endAll(ends: (() => void)[], count: number) {
  for (let ended = 0; ended < count; ended++) {
    ends[ended]?.()
    await turn()
    await turn()
  }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))
const network = (place: number) => `192.0.2.${place}`

test('one calendar is read twice at the same time, two more readers wait, and a fifth is refused', async () => {
  const limit = createReadingLimits({ rateLimits: true })
  const { work, ends } = createWorks()
  const { inProgress, waiting } = limitsOfCalendar
  const readers = Array.from({ length: inProgress + waiting }, (_, place) =>
    limit({ calendar: 'alice', network: network(place) }, work),
  )
  await turn()
  assert.equal(ends.length, inProgress)
  await assert.rejects(limit({ calendar: 'alice', network: network(99) }, work), {
    code: 'too_many_requests',
    retryAfterSeconds: 1,
  })
  assert.equal(await limit({ calendar: 'bob', network: network(99) }, async () => 'of Bob'), 'of Bob')
  await endAll(ends, readers.length)
  assert.equal((await Promise.all(readers)).length, readers.length)
  assert.equal(await limit({ calendar: 'alice', network: network(99) }, async () => 'next'), 'next')
})

test('a network that reads many calendars leaves every second turn to others, and makes room for them', async () => {
  const limit = createReadingLimits({ rateLimits: true })
  const { work, ends } = createWorks()
  const outcomes: string[] = []
  const crowd = Array.from({ length: maxCompositions + maxWaitingReaders }, (_, place) =>
    limit({ calendar: `of ${place}`, network: network(1) }, work).then(
      () => outcomes.push('read'),
      ({ code }: { code: string }) => outcomes.push(code),
    ),
  )
  await turn()
  assert.equal(ends.length, maxCompositions)
  // The newest reader of the crowded network is asked to come back.
  const other = limit({ calendar: 'of another network', network: network(2) }, async () => 'other')
  await turn()
  assert.deepEqual(outcomes, ['unavailable'])
  await endAll(ends, 2)
  assert.equal(await other, 'other')
  await endAll(ends, maxCompositions + maxWaitingReaders)
  await Promise.all(crowd)
  assert.equal(outcomes.filter((outcome) => outcome === 'read').length, maxCompositions + maxWaitingReaders - 1)
})

test('one calendar is read a number of times in an hour', async () => {
  const limit = createReadingLimits({ rateLimits: true })
  const reader = { calendar: 'alice', network: network(1) }
  for (let reading = 0; reading < readingLimits.ofCalendar.points; reading++) await limit(reader, async () => '')
  await assert.rejects(
    limit(reader, async () => ''),
    { code: 'too_many_requests' },
  )
  assert.equal(await limit({ ...reader, calendar: 'bob' }, async () => 'of Bob'), 'of Bob')
})
