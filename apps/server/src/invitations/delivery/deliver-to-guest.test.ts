import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPath, detailsPath, meetPeople, schedule, signUp, standUp, weekdays } from '../../../test/people.ts'
import { createClock, startApp } from '../../../test/start-app.ts'
import type { Mail } from '../../email/mail.ts'

const clock = createClock('2030-01-01T12:00:00Z')
const app = await startApp({ clock, environment: { RATE_LIMITS: 'off' } })
const { alice, carol } = await meetPeople(app)

/** The emails as address, subject, calendar method and sequence. */
const gist = (mails: readonly Mail[]) =>
  mails
    .map(({ to, subject, calendar }) => `${to} ${subject} ${calendar?.method} ${property(calendar?.text, 'SEQUENCE')}`)
    .toSorted()

const property = (calendar: string | undefined, name: string) =>
  new RegExp(`^${name}[;:](.*)$`, 'm').exec(calendar?.replaceAll('\r\n ', '').replaceAll('\r', '') ?? '')?.[1]

const both = { participants: ['bob@example.org', 'Dan@elsewhere.example'] }
const send = async (meeting: { _id: string }, changes: object, query = '') => {
  const { status, body } = await alice.send('PUT', `${detailsPath(meeting)}${query}`, standUp({ ...both, ...changes }))
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const read = async (meeting: { _id: string }) => (await alice.send('GET', detailsPath(meeting))).body[0]

test('invites every participant by an individual email, and the meeting shows when it was handed over', async () => {
  const meeting = await schedule(alice, standUp(both))
  const before = await alice.send('GET', detailsPath(meeting))
  assert.equal(before.body[0].notificationsSend.invitationMail, false)
  const mails = await app.mails()
  assert.deepEqual(gist(mails), [
    'Dan@elsewhere.example Invitation: Stand-up REQUEST 0',
    'bob@example.org Invitation: Stand-up REQUEST 0',
  ])
  for (const { to, text, html, calendar, replyTo, messageId } of mails) {
    const code = `${meeting.svcMeetId.slice(0, 3)} ${meeting.svcMeetId.slice(3, 6)} ${meeting.svcMeetId.slice(6)}`
    for (const said of [text, html]) {
      for (const part of [code, meeting.pin, meeting.meetingUrl, meeting.addToSvcUrl, to])
        assert.ok(said.includes(part), part)
    }
    assert.match(text, /Alice Test invites you to a meeting\./)
    assert.match(text, /Monday,? 7 January 2030/)
    assert.deepEqual(replyTo, { name: 'Alice Test', address: 'alice@example.org' })
    const unfolded = calendar?.text.replaceAll('\r\n ', '') ?? ''
    assert.equal(unfolded.match(/^ATTENDEE/gm)?.length, 1)
    assert.ok(unfolded.includes(`mailto:${to}`))
    assert.match(messageId, /^<[0-9a-f-]{36}\.[0-9a-f]{18}@parley\.test>$/)
  }
  const after = await alice.send('GET', detailsPath(meeting))
  assert.deepEqual(after.body[0].notificationsSend, {
    invitationMail: true,
    reminderMail: false,
    cancellationMail: false,
  })
  assert.equal(after.headers.get('etag'), before.headers.get('etag'))
  assert.equal(after.body[0].__v, 0)
})

test('emails a relevant change to all guests, old and new, and an irrelevant one to none', async () => {
  const meeting = await schedule(alice, standUp(both))
  const [first] = await app.mails()
  await send(meeting, { topic: 'Sit-down', startTime: '2030-01-08T10:00:00Z', endTime: '2030-01-08T10:30:00Z' })
  const mails = await app.mails()
  assert.deepEqual(gist(mails), [
    'Dan@elsewhere.example Changed: Sit-down REQUEST 1',
    'bob@example.org Changed: Sit-down REQUEST 1',
  ])
  const mail = mails.find(({ to }) => to === first?.to)
  assert.match(mail?.text ?? '', /Topic\n {2}Before: Stand-up\n {2}Now: Sit-down/)
  assert.match(mail?.text ?? '', /When\n {2}Before: .*7 January 2030.*\n {2}Now: .*8 January 2030/)
  assert.equal(mail?.inReplyTo, first?.messageId)
  assert.deepEqual(mail?.references, [first?.messageId])
  assert.equal(property(mail?.calendar?.text, 'UID'), property(first?.calendar?.text, 'UID'))

  const moved = { topic: 'Sit-down', startTime: '2030-01-08T10:00:00Z', endTime: '2030-01-08T10:30:00Z' }
  await send(meeting, { ...moved, advancedOptions: { waitingRoom: true }, reminderMinutes: 5 })
  assert.deepEqual(await app.mails(), [])
})

test('when only the people change, new guests are invited, removed ones are notified, and others get no mail', async () => {
  const meeting = await schedule(alice, standUp(both))
  await app.mails()
  await send(meeting, { participants: ['Dan@elsewhere.example', 'carol@example.org'] })
  assert.deepEqual(gist(await app.mails()), [
    'bob@example.org No longer invited: Stand-up CANCEL 1',
    'carol@example.org Invitation: Stand-up REQUEST 1',
  ])
  assert.equal((await read(meeting)).notificationsSend.cancellationMail, false)
})

test('cancels one date of a series by its RECURRENCE-ID, and the series continues', async () => {
  const meeting = await schedule(alice, weekdays(both))
  await app.mails()
  const { status } = await alice.send('POST', cancelPath(meeting), { cancel: 'current' })
  assert.equal(status, 200)
  const mails = await app.mails()
  assert.deepEqual(gist(mails), [
    'Dan@elsewhere.example Cancelled on 7 January 2030: Stand-up CANCEL 1',
    'bob@example.org Cancelled on 7 January 2030: Stand-up CANCEL 1',
  ])
  assert.match(mails[0]?.text ?? '', /One date of this meeting has been cancelled: Monday,? 7 January 2030/)
  assert.equal(property(mails[0]?.calendar?.text, 'RECURRENCE-ID'), 'TZID=Europe/London:20300107T090000')
  assert.doesNotMatch(mails[0]?.text ?? '', new RegExp(meeting.pin))
  assert.equal((await read(meeting)).notificationsSend.cancellationMail, true)

  await alice.send('PUT', detailsPath(meeting), weekdays({ ...both, topic: 'Sit-down' }))
  const [update] = await app.mails()
  assert.match(update?.calendar?.text ?? '', /EXDATE;TZID=Europe\/London:20300107T090000/)
  assert.equal(property(update?.calendar?.text, 'SEQUENCE'), '2')
})

test('cancels a wholly cancelled meeting in calendars, and ends one with past dates earlier', async () => {
  const [whole, held] = await Promise.all([schedule(alice, weekdays(both)), schedule(alice, weekdays(both))])
  await app.mails()
  await alice.send('POST', cancelPath(whole), { cancel: 'all' })
  assert.deepEqual(gist(await app.mails()), [
    'Dan@elsewhere.example Cancelled: Stand-up CANCEL 1',
    'bob@example.org Cancelled: Stand-up CANCEL 1',
  ])
  clock.set('2030-01-09T12:00:00Z')
  await alice.send('POST', cancelPath(held), { cancel: 'all' })
  const mails = await app.mails()
  assert.deepEqual(gist(mails), [
    'Dan@elsewhere.example Cancelled from 10 January 2030: Stand-up REQUEST 1',
    'bob@example.org Cancelled from 10 January 2030: Stand-up REQUEST 1',
  ])
  assert.match(mails[0]?.calendar?.text ?? '', /UNTIL=20300109T/)
  await alice.send('POST', cancelPath(held), { cancel: 'all' })
  assert.deepEqual(await app.mails(), [])
  clock.set('2030-01-01T12:00:00Z')
})

test('sendUpdates=none emails no guest; the next email has a higher sequence', async () => {
  const { body } = await alice.send('POST', '/api/meeting?sendUpdates=none', standUp(both))
  const meeting = body.meetingDetails
  await send(meeting, { topic: 'Sit-down' }, '?sendUpdates=none')
  assert.deepEqual(await app.mails(), [])
  await send(meeting, { topic: 'Walk' })
  assert.deepEqual(gist(await app.mails()), [
    'Dan@elsewhere.example Invitation: Walk REQUEST 2',
    'bob@example.org Invitation: Walk REQUEST 2',
  ])
  await alice.send('POST', `${cancelPath(meeting)}?sendUpdates=none`, { cancel: 'all' })
  assert.deepEqual(await app.mails(), [])
})

test('sends no email for a past meeting', async () => {
  const past = { startTime: '2029-12-01T09:00:00Z', endTime: '2029-12-01T09:30:00Z' }
  const meeting = await schedule(alice, standUp({ ...both, ...past }))
  await send(meeting, { ...past, topic: 'Sit-down', participants: ['carol@example.org'] })
  await alice.send('POST', cancelPath(meeting), { cancel: 'all' })
  assert.deepEqual(await app.mails(), [])
})

test('sends nothing for a refused change, or for a replay by its idempotency key', async () => {
  const meeting = await schedule(alice, standUp(both))
  await app.mails()
  await alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Sit-down' }), { 'if-match': '"v7"' })
  await carol.send('PUT', detailsPath(meeting), standUp({ topic: 'Mine' }))
  assert.deepEqual(await app.mails(), [])
  const key = { 'idempotency-key': 'once' }
  await alice.send('POST', '/api/meeting', standUp(both), key)
  await alice.send('POST', '/api/meeting', standUp(both), key)
  assert.equal((await app.mails()).length, 2)
})

test("escapes a topic's line breaks and markup", async () => {
  const topic = '<img src=x onerror=alert(1)> & "friends"; a,b\\n'
  await schedule(alice, standUp({ ...both, topic, description: 'Line 1\r\n<script>x</script>\nEND:VEVENT\n' }))
  const [mail] = await app.mails()
  assert.equal(mail?.subject, `Invitation: ${topic}`)
  assert.doesNotMatch(mail?.html ?? '', /<img|<script/)
  assert.ok(mail?.html.includes('&lt;img src=x'))
  const lines = mail?.calendar?.text.split('\r\n') ?? []
  assert.equal(lines.filter((line) => line === 'END:VEVENT').length, 1)
})

test('compares the beginning of a long description, and sends the new one in full', async () => {
  const [long, longer] = ['a'.repeat(10_000), `b${'c'.repeat(9_999)}`]
  const meeting = await schedule(alice, standUp({ participants: ['bob@example.org'], description: long }))
  await app.mails()
  await send(meeting, { participants: ['bob@example.org'], description: longer })
  const [mail] = await app.mails()
  assert.match(mail?.text ?? '', /Description\n {2}Before: a{400}…\n {2}Now: bc{399}…\n/)
  assert.ok(mail?.text.includes(`Description:\n${longer}\n`))
  await send(meeting, { participants: ['bob@example.org'], description: ' ' })
  assert.match((await app.mails())[0]?.text ?? '', /Description\n {2}Before: bc{399}…\n {2}Now: nothing/)
})

test('shows times to a guest with an account in their own time zone and language', async () => {
  const greta = await signUp(app, 'Greta')
  await greta.send('PUT', '/api/my_profile', { timeZone: 'Asia/Tokyo', language: 'de' })
  await schedule(alice, standUp({ participants: [greta.email, 'dan@elsewhere.example'] }))
  const mails = await app.mails()
  const toGreta = mails.find(({ to }) => to === greta.email)
  assert.equal(toGreta?.subject, 'Einladung: Stand-up')
  assert.match(
    toGreta?.text ?? '',
    /Wann: Montag, 7\. Januar 2030, 09:00–09:30 Uhr \(UTC\)\n {2}Ihre Zeit: Montag, 7\. Januar 2030, 18:00–18:30 Uhr \(Asia\/Tokyo, UTC\+09:00\)/,
  )
  assert.match(toGreta?.html ?? '', /<html lang="de" dir="ltr">/)
  const toDan = mails.find(({ to }) => to === 'dan@elsewhere.example')
  assert.equal(toDan?.subject, 'Invitation: Stand-up')
  assert.doesNotMatch(toDan?.text ?? '', /Your time/)
})

test('invites a thousand guests at once, each by an individual email', async () => {
  const participants = Array.from({ length: 1000 }, (_, index) => `guest${index}@elsewhere.example`)
  await schedule(alice, standUp({ participants }))
  const mails = await app.mails()
  assert.equal(mails.length, 1000)
  assert.equal(new Set(mails.map(({ to }) => to)).size, 1000)
  assert.equal(new Set(mails.map(({ messageId }) => messageId)).size, 1000)
})
