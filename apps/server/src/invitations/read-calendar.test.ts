import assert from 'node:assert/strict'
import { test } from 'node:test'
import { datesBetween, readCalendar } from '../../../../test/calendar-readers/read-with-ical-js.ts'
import { createFeed, feedPath } from '../../test/calendar-feeds.ts'
import { cancelPath, detailsPath, password, schedule, sendRequest, standUp, weekdays } from '../../test/people.ts'
import { publicAddress, startApp, tokenIn } from '../../test/start-app.ts'
import { useApp } from '../../test/use-app.ts'

const { app, clock, olga, meet } = await useApp({
  emails: 'dropped',
  environment: { EMAIL_VERIFICATION: 'off' },
  start: '2030-01-01T00:00:00Z',
})

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${app.base}${path}`, { headers })

async function readFeed(path: string) {
  const response = await get(path)
  assert.equal(response.status, 200)
  return readCalendar(await response.text())
}

const topicsOf = async (path: string) => (await readFeed(path)).events.map(({ summary }) => summary).toSorted()

test('contains the caller’s hosted meetings and invitations, and nothing else', async () => {
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

test('keeps the dates of a series in its zone, without skipped dates', async () => {
  const [host] = await meet('Mallory')
  const feed = await createFeed(host)
  const meeting = await schedule(host, weekdays())
  const cancelled = await host.send('POST', cancelPath(meeting), {
    cancel: 'current',
    occurrence: '2030-01-09T09:00:00Z',
  })
  assert.equal(cancelled.status, 200)
  const { events } = await readFeed(feed)
  const { body } = await host.send('GET', `${detailsPath(meeting)}/occurrences?from=2030-01-01T00:00:00Z`)
  const ours = body.occurrences.map(
    (date: { startTime: string; endTime: string }) => `${date.startTime}/${date.endTime}`,
  )
  assert.equal(ours.length, 14)
  assert.deepEqual(datesBetween(events, new Date('2030-01-01'), new Date('2031-01-01')), ours)
  assert.equal(events[0]?.startDate.zone?.tzid, 'Europe/London')
  assert.equal(events[0]?.description?.includes(`PIN: ${meeting.pin}`), true)
  assert.equal(events[0]?.location, meeting.meetingUrl)

  // Past dates of a series that is cancelled later stay.
  clock.set('2030-01-16T12:00:00Z')
  assert.equal((await host.send('POST', cancelPath(meeting), { cancel: 'all' })).status, 200)
  const held = ours.filter((date: string) => date < '2030-01-16T12')
  assert.equal(held.length, 7)
  assert.deepEqual(datesBetween((await readFeed(feed)).events, new Date('2030-01-01'), new Date('2031-01-01')), held)
})

test('omits cancelled and declined meetings, and meetings over for 90 days', async () => {
  const [carol] = await meet('Carol')
  const feed = await createFeed(olga)
  const cancelled = await schedule(olga, standUp({ topic: 'Off' }))
  await olga.send('POST', cancelPath(cancelled), { cancel: 'all' })
  await schedule(
    olga,
    standUp({ topic: 'Long ago', startTime: '2029-10-02T23:00:00Z', endTime: '2029-10-03T00:00:00Z' }),
  )
  await schedule(
    olga,
    standUp({ topic: 'A while ago', startTime: '2029-10-02T23:00:01Z', endTime: '2029-10-03T00:00:01Z' }),
  )
  assert.deepEqual(await topicsOf(feed), ['A while ago'])

  const invited = await schedule(carol, standUp({ topic: 'Of Carol', participants: [olga.email] }))
  assert.deepEqual(await topicsOf(feed), ['A while ago', 'Of Carol'])
  await app.pool.query(`update participant set response = 'declined' where meeting_id = $1`, [invited._id])
  assert.deepEqual(await topicsOf(feed), ['A while ago'])
})

test('omits invitations to an unverified address, which may be another person’s', async () => {
  // Addresses count as confirmed while confirmation is off; then the operator turns it on.
  const strict = await startApp({ clock, emails: 'dropped', environment: { EMAIL_VERIFICATION: 'required' } })
  const join = async (name: string) => {
    const person = { name, lname: 'Test', email: `${name.toLowerCase()}@example.org`, password }
    assert.equal((await sendRequest(strict, 'POST', '/api/auth/sign-up', person)).status, 202)
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

test('answers 304 for an unchanged calendar', async () => {
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

test('a new password and a disabled account end it', async () => {
  const [bob] = await meet('Bob')
  const feed = await createFeed(bob)
  const kept = { currentPassword: 'correct horse battery staple', newPassword: 'another horse battery staple' }
  assert.equal((await bob.send('POST', '/api/auth/password', { ...kept, signOutEverywhere: false })).status, 200)
  assert.equal((await get(feed)).status, 200)
  const changed = { currentPassword: kept.newPassword, newPassword: kept.currentPassword }
  assert.equal((await bob.send('POST', '/api/auth/password', changed)).status, 200)
  assert.equal((await get(feed)).status, 404)

  const anew = await createFeed(bob)
  await app.pool.query('update account set disabled_at = now() where id = $1', [bob.profile._id])
  assert.equal((await get(anew)).status, 404)
})

test('answers every invalid address with the same 404', async () => {
  const [alice] = await meet('Alice')
  const { token } = alice
  const wrong = ['x', 'cal_', `cal_${'0'.repeat(49)}`, token, '%00', 'x'.repeat(200)]
  for (const secret of wrong) {
    const { status, headers } = await get(`/calendar/${secret}.ics`)
    assert.deepEqual([status, headers.get('content-type')], [404, 'application/problem+json; charset=utf-8'], secret)
  }
})

test('never logs the secret, nor stores it in clear', async () => {
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
