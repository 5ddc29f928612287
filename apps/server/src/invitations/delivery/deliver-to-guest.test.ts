import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarProperty, subjectOf } from '../../../test/mailbox.ts'
import { cancelPath, detailsPath, schedule, standUp, weekdays } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { useApp } from '../../../test/use-app.ts'
import type { Mail } from '../../email/mail.ts'
import { remindJob } from '../guest-reminders.ts'

const { app, clock, meet } = await useApp({ start: '2030-01-01T12:00:00Z', environment: { RATE_LIMITS: 'off' } })

/** The emails as name, subject, calendar method and sequence. */
const gist = (mails: readonly Mail[]) =>
  mails
    .map((mail) => {
      const sequence = calendarProperty(mail, 'SEQUENCE')
      return `${mail.to.split(/[.@]/)[0]} ${subjectOf(mail)} ${mail.calendar?.method} ${sequence}`
    })
    .toSorted()

/** Meet Alice, who hosts meetings with Bob and with Dan, who has no account. */
async function meetHost() {
  const [alice, bob, carol] = await meet('Alice', 'Bob', 'Carol')
  const both = { participants: [bob.email, 'Dan@elsewhere.example'] }
  return {
    alice,
    bob,
    carol,
    both,
    send: (meeting: { _id: string }, changes: object, query = '') =>
      expectOk(alice.send('PUT', `${detailsPath(meeting)}${query}`, standUp({ ...both, ...changes }))),
    read: async (meeting: { _id: string }) => (await expectOk(alice.send('GET', detailsPath(meeting))))[0],
  }
}

test('invites every participant by an individual email, and the meeting shows when it was handed over', async () => {
  const { alice, both } = await meetHost()
  const meeting = await schedule(alice, standUp(both))
  const before = await alice.send('GET', detailsPath(meeting))
  assert.equal(before.body[0].notificationsSend.invitationMail, false)
  const mails = await app.mails()
  assert.deepEqual(gist(mails), ['Dan Invitation: Stand-up REQUEST 0', 'bob Invitation: Stand-up REQUEST 0'])
  for (const { to, text, html, calendar, replyTo, messageId } of mails) {
    const code = `${meeting.svcMeetId.slice(0, 3)} ${meeting.svcMeetId.slice(3, 6)} ${meeting.svcMeetId.slice(6)}`
    for (const said of [text, html]) {
      for (const part of [code, meeting.pin, meeting.meetingUrl, meeting.addToSvcUrl, to])
        assert.ok(said.includes(part), part)
    }
    assert.match(text, /Alice Test invites you to a meeting\./)
    assert.match(text, /Monday,? 7 January 2030/)
    assert.deepEqual(replyTo, { name: 'Alice Test', address: alice.email })
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
  const { alice, both, send } = await meetHost()
  const meeting = await schedule(alice, standUp(both))
  const [first] = await app.mails()
  await send(meeting, { topic: 'Sit-down', startTime: '2030-01-08T10:00:00Z', endTime: '2030-01-08T10:30:00Z' })
  const mails = await app.mails()
  assert.deepEqual(gist(mails), ['Dan Changed: Sit-down REQUEST 1', 'bob Changed: Sit-down REQUEST 1'])
  const mail = mails.find(({ to }) => to === first?.to)
  assert.match(mail?.text ?? '', /Topic\n {2}Before: Stand-up\n {2}Now: Sit-down/)
  assert.match(mail?.text ?? '', /When\n {2}Before: .*7 January 2030.*\n {2}Now: .*8 January 2030/)
  assert.equal(mail?.inReplyTo, first?.messageId)
  assert.deepEqual(mail?.references, [first?.messageId])
  assert.equal(calendarProperty(mail, 'UID'), calendarProperty(first, 'UID'))

  const moved = { topic: 'Sit-down', startTime: '2030-01-08T10:00:00Z', endTime: '2030-01-08T10:30:00Z' }
  await send(meeting, { ...moved, advancedOptions: { waitingRoom: true }, reminderMinutes: 5 })
  assert.deepEqual(await app.mails(), [])
})

test('when only the people change, new guests are invited, removed ones are notified, and others get no mail', async () => {
  const { alice, carol, both, send, read } = await meetHost()
  const meeting = await schedule(alice, standUp(both))
  await app.mails()
  await send(meeting, { participants: ['Dan@elsewhere.example', carol.email] })
  assert.deepEqual(gist(await app.mails()), [
    'bob No longer invited: Stand-up CANCEL 1',
    'carol Invitation: Stand-up REQUEST 1',
  ])
  assert.equal((await read(meeting)).notificationsSend.cancellationMail, false)
})

test('cancels one date of a series by its RECURRENCE-ID, and the series continues', async () => {
  const { alice, both, read } = await meetHost()
  const meeting = await schedule(alice, weekdays(both))
  await app.mails()
  await expectOk(alice.send('POST', cancelPath(meeting), { cancel: 'current' }))
  const mails = await app.mails()
  assert.deepEqual(gist(mails), [
    'Dan Cancelled on 7 January 2030: Stand-up CANCEL 1',
    'bob Cancelled on 7 January 2030: Stand-up CANCEL 1',
  ])
  assert.match(mails[0]?.text ?? '', /One date of this meeting has been cancelled: Monday,? 7 January 2030/)
  assert.equal(calendarProperty(mails[0], 'RECURRENCE-ID'), 'TZID=Europe/London:20300107T090000')
  assert.doesNotMatch(mails[0]?.text ?? '', new RegExp(meeting.pin))
  assert.equal((await read(meeting)).notificationsSend.cancellationMail, true)

  await alice.send('PUT', detailsPath(meeting), weekdays({ ...both, topic: 'Sit-down' }))
  const [update] = await app.mails()
  assert.match(update?.calendar?.text ?? '', /EXDATE;TZID=Europe\/London:20300107T090000/)
  assert.equal(calendarProperty(update, 'SEQUENCE'), '2')
})

test('cancels a wholly cancelled meeting in calendars, and ends one with past dates earlier', async () => {
  const { alice, both } = await meetHost()
  const [whole, held] = await Promise.all([schedule(alice, weekdays(both)), schedule(alice, weekdays(both))])
  await app.mails()
  await alice.send('POST', cancelPath(whole), { cancel: 'all' })
  assert.deepEqual(gist(await app.mails()), ['Dan Cancelled: Stand-up CANCEL 1', 'bob Cancelled: Stand-up CANCEL 1'])
  clock.set('2030-01-09T12:00:00Z')
  await alice.send('POST', cancelPath(held), { cancel: 'all' })
  const mails = await app.mails()
  assert.deepEqual(gist(mails), [
    'Dan Cancelled from 10 January 2030: Stand-up REQUEST 1',
    'bob Cancelled from 10 January 2030: Stand-up REQUEST 1',
  ])
  assert.match(mails[0]?.calendar?.text ?? '', /UNTIL=20300109T/)
  await alice.send('POST', cancelPath(held), { cancel: 'all' })
  assert.deepEqual(await app.mails(), [])
})

test('sendUpdates=none emails no guest; the next email has a higher sequence', async () => {
  const { alice, both, send } = await meetHost()
  const created = await expectOk(alice.send('POST', '/api/meeting?sendUpdates=none', standUp(both)))
  const meeting = created.meetingDetails
  await send(meeting, { topic: 'Sit-down' }, '?sendUpdates=none')
  assert.deepEqual(await app.mails(), [])
  await send(meeting, { topic: 'Walk' })
  assert.deepEqual(gist(await app.mails()), ['Dan Invitation: Walk REQUEST 2', 'bob Invitation: Walk REQUEST 2'])
  await alice.send('POST', `${cancelPath(meeting)}?sendUpdates=none`, { cancel: 'all' })
  assert.deepEqual(await app.mails(), [])
})

test('sends no email for a past meeting', async () => {
  const { alice, carol, both, send } = await meetHost()
  const past = { startTime: '2029-12-01T09:00:00Z', endTime: '2029-12-01T09:30:00Z' }
  const meeting = await schedule(alice, standUp({ ...both, ...past }))
  await send(meeting, { ...past, topic: 'Sit-down', participants: [carol.email] })
  await alice.send('POST', cancelPath(meeting), { cancel: 'all' })
  assert.deepEqual(await app.mails(), [])
})

test('sends nothing for a refused change, or for a replay by its idempotency key', async () => {
  const { alice, carol, both } = await meetHost()
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
  const { alice, both } = await meetHost()
  const topic = '<img src=x onerror=alert(1)> & "friends"; a,b\\n'
  await schedule(alice, standUp({ ...both, topic, description: 'Line 1\r\n<script>x</script>\nEND:VEVENT\n' }))
  const [mail] = await app.mails()
  assert.equal(subjectOf(mail), `Invitation: ${topic}`)
  assert.doesNotMatch(mail?.html ?? '', /<img|<script/)
  assert.ok(mail?.html.includes('&lt;img src=x'))
  const lines = mail?.calendar?.text.split('\r\n') ?? []
  assert.equal(lines.filter((line) => line === 'END:VEVENT').length, 1)
})

test('compares the beginning of a long description, and sends the new one in full', async () => {
  const { alice, bob, send } = await meetHost()
  const [long, longer] = ['a'.repeat(10_000), `b${'c'.repeat(9_999)}`]
  const meeting = await schedule(alice, standUp({ participants: [bob.email], description: long }))
  await app.mails()
  await send(meeting, { participants: [bob.email], description: longer })
  const [mail] = await app.mails()
  assert.match(mail?.text ?? '', /Description\n {2}Before: a{400}…\n {2}Now: bc{399}…\n/)
  assert.ok(mail?.text.includes(`Description:\n${longer}\n`))
  await send(meeting, { participants: [bob.email], description: ' ' })
  assert.match((await app.mails())[0]?.text ?? '', /Description\n {2}Before: bc{399}…\n {2}Now: nothing/)
})

test('shows times to a guest with an account in their own time zone and language', async () => {
  const { alice } = await meetHost()
  const [greta] = await meet('Greta')
  await greta.send('PUT', '/api/my_profile', { timeZone: 'Asia/Tokyo', language: 'de' })
  await schedule(alice, standUp({ participants: [greta.email, 'dan@elsewhere.example'] }))
  const mails = await app.mails()
  const toGreta = mails.find(({ to }) => to === greta.email)
  assert.equal(subjectOf(toGreta), 'Einladung: Stand-up')
  assert.match(
    toGreta?.text ?? '',
    /Wann: Montag, 7\. Januar 2030, 18:00–18:30 Uhr \(Tokyo, UTC\+09:00\)\n {2}Montag, 7\. Januar 2030, 09:00–09:30 Uhr \(UTC\)/,
  )
  assert.match(toGreta?.subject ?? '', / · Mo\., 7\. Jan\.,? 18:00 GMT\+9$/)
  assert.match(toGreta?.text ?? '', /Auch eingeladen: dan@elsewhere\.example\n/)
  assert.match(toGreta?.html ?? '', /<html lang="de" dir="ltr">/)
  const toDan = mails.find(({ to }) => to === 'dan@elsewhere.example')
  assert.equal(subjectOf(toDan), 'Invitation: Stand-up')
  assert.match(toDan?.text ?? '', /When: Monday, 7 January 2030, 09:00–09:30 \(UTC\)\n[A-Z]/)
})

test('names ten other guests, and counts those beyond', async () => {
  const { alice } = await meetHost()
  const guests = (count: number) => Array.from({ length: count }, (_, at) => `g${10 + at}@elsewhere.example`)
  const named = async (count: number) => {
    await schedule(alice, standUp({ participants: guests(count) }))
    const mail = (await app.mails()).find(({ to }) => to === 'g10@elsewhere.example')
    return /^Also invited: (.*)$/m.exec(mail?.text ?? '')?.[1]
  }
  assert.equal(await named(1), undefined)
  assert.equal(await named(11), guests(11).slice(1).join(', '))
  assert.equal(await named(12), `${guests(11).slice(1).join(', ')}, +1`)
})

test('invites a thousand guests at once, each by an individual email', async () => {
  const { alice } = await meetHost()
  const participants = Array.from({ length: 1000 }, (_, index) => `guest${index}@elsewhere.example`)
  await schedule(alice, standUp({ participants }))
  const mails = await app.mails()
  assert.equal(mails.length, 1000)
  assert.equal(new Set(mails.map(({ to }) => to)).size, 1000)
  assert.equal(new Set(mails.map(({ messageId }) => messageId)).size, 1000)
})

/** The emails that are due at the clock's time. */
async function due(): Promise<string[]> {
  await app.pool.query('update graphile_worker._private_jobs set run_at = now() where attempts = 0')
  return gist(await app.mails({ gathering: true }))
}

/** Meet Alice, who invites Bob and then changes the meeting. */
async function meetInviter() {
  const { alice, bob } = await meetHost()
  const withBob = (changes: object = {}, make = standUp) => make({ participants: [bob.email], ...changes })
  return {
    alice,
    bob,
    withBob,
    rename: (meeting: { _id: string }, topic: string) =>
      expectOk(alice.send('PUT', detailsPath(meeting), withBob({ topic }))),
  }
}

test('sends the first email of a meeting at once, and gathers changes within two minutes of it into one email', async () => {
  const { alice, withBob, rename } = await meetInviter()
  const meeting = await schedule(alice, withBob())
  assert.deepEqual(await due(), ['bob Invitation: Stand-up REQUEST 0'])
  await rename(meeting, 'First')
  assert.deepEqual(await due(), [])
  clock.advance(60_000)
  await rename(meeting, 'Second')
  assert.deepEqual(await due(), [])
  clock.advance(59_999)
  assert.deepEqual(await due(), [])
  clock.advance(1)
  const mails = await app.mails({ gathering: true })
  assert.deepEqual(mails, [], 'no job looks before its time')
  await app.pool.query('update graphile_worker._private_jobs set run_at = now() where attempts = 0')
  const [mail, ...others] = await app.mails({ gathering: true })
  assert.deepEqual(others, [])
  assert.equal(subjectOf(mail), 'Changed: Second')
  assert.match(mail?.text ?? '', /Topic\n {2}Before: Stand-up\n {2}Now: Second/)
  await rename(meeting, 'Third')
  assert.deepEqual(await due(), [])
  clock.advance(120_000)
  assert.deepEqual(await due(), ['bob Changed: Third REQUEST 3'])
})

test('sends no email for a change that is reverted within that time', async () => {
  const { alice, withBob, rename } = await meetInviter()
  const meeting = await schedule(alice, withBob())
  await due()
  await rename(meeting, 'First')
  await due()
  await rename(meeting, 'Stand-up')
  clock.advance(120_000)
  assert.deepEqual(await due(), [])
  assert.equal(
    (await app.pool.query('select from guest_delivery where pending and meeting_id = $1', [meeting._id])).rowCount,
    0,
  )
})

test('sends no email to a guest who is removed and invited again within that time', async () => {
  const { alice, withBob } = await meetInviter()
  const meeting = await schedule(alice, withBob())
  await due()
  await alice.send('PUT', detailsPath(meeting), standUp({ participants: [] }))
  await due()
  await alice.send('PUT', detailsPath(meeting), withBob())
  clock.advance(120_000)
  assert.deepEqual(await due(), [])
})

test('does not delay changes of a date that begins within a quarter of an hour', async () => {
  const { alice, withBob, rename } = await meetInviter()
  clock.set('2030-01-07T08:44:59Z')
  const meeting = await schedule(alice, withBob())
  await due()
  await rename(meeting, 'First')
  assert.deepEqual(await due(), [])
  clock.set('2030-01-07T08:45:00Z')
  assert.deepEqual(await due(), ['bob Changed: First REQUEST 1'])
  await alice.send('POST', cancelPath(meeting), { cancel: 'all' })
  assert.deepEqual(await due(), ['bob Cancelled: First CANCEL 2'])
})

test('sends a waiting change before the reminder', async () => {
  const { alice, withBob } = await meetInviter()
  const meeting = await schedule(alice, withBob({ reminderMinutes: 60 }, weekdays))
  await due()
  clock.set('2030-01-07T07:59:00Z')
  await expectOk(alice.send('PUT', detailsPath(meeting), withBob({ topic: 'First', reminderMinutes: 60 }, weekdays)))
  assert.deepEqual(await due(), ['bob Changed: First REQUEST 1'])
  await expectOk(alice.send('PUT', detailsPath(meeting), withBob({ topic: 'Second', reminderMinutes: 60 }, weekdays)))
  assert.deepEqual(await due(), [])
  clock.set('2030-01-07T08:00:00Z')
  await app.pool.query('select graphile_worker.add_job($1)', [remindJob.name])
  const toBob = (await due()).filter((mail) => mail.startsWith('bob'))
  assert.deepEqual(toBob, ['bob Changed: Second REQUEST 2', 'bob Reminder: Second undefined undefined'])
})
