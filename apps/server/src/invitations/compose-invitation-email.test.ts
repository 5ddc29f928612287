import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailsPath, meetPeople, schedule, standUp, weekdays } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import type { Mail } from '../email/mail.ts'
import { remindJob } from './guest-reminders.ts'

const clock = createClock('2030-01-01T12:00:00Z')
const environment = { MAIL_FROM: 'Acme Meet <meet@acme.example>', RATE_LIMITS: 'off' }
const app = await startApp({ clock, environment })
const { alice, bob, carol } = await meetPeople(app)

/** The lines of an email's calendar, without folds. */
const linesOf = (mail: Mail | undefined) => (mail?.calendar?.text ?? '').replaceAll('\r\n ', '').split('\r\n')
const lineOf = (mail: Mail | undefined, name: string) => linesOf(mail).find((line) => line.startsWith(name))

test('sends an email in the host’s name through the service, and names the sending address', async () => {
  await schedule(alice)
  const [mail] = await app.mails()
  assert.equal(mail?.fromName, 'Alice Test via Acme Meet')
  assert.equal(
    lineOf(mail, 'ORGANIZER'),
    'ORGANIZER;CN="Alice Test";SENT-BY="mailto:meet@acme.example":mailto:alice@example.org',
  )
})

test('names the sender in the reader’s language', async () => {
  await bob.send('PUT', '/api/my_profile', { language: 'de' })
  const meeting = await schedule(alice)
  const [mail] = await app.mails()
  assert.equal(mail?.fromName, 'Alice Test über Acme Meet')
  assert.match(
    lineOf(mail, 'CONFERENCE') ?? '',
    /^CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO;LABEL="An der Besprechung teilnehmen":/,
  )
  assert.ok(lineOf(mail, 'CONFERENCE')?.endsWith(`:${meeting.meetingUrl}`))
  await bob.send('PUT', '/api/my_profile', { language: '' })
})

test('sends a reminder to the host from the service, not from the host', async () => {
  await schedule(alice, standUp({ startTime: '2030-01-03T09:00:00Z', endTime: '2030-01-03T09:30:00Z' }))
  await app.mails()
  clock.set('2030-01-03T08:50:00Z')
  await app.pool.query('select graphile_worker.add_job($1)', [remindJob.name])
  const mails = await app.mails()
  const senders = mails.map(({ to, fromName }) => `${to} ${fromName}`).toSorted()
  assert.deepEqual(senders, ['alice@example.org undefined', 'bob@example.org Alice Test via Acme Meet'])
  clock.set('2030-01-01T12:00:00Z')
})

test('sends no email for a changed reminder time alone; the next update delivers it to calendars', async () => {
  const meeting = await schedule(alice, standUp({ reminderMinutes: 10 }))
  assert.equal(lineOf((await app.mails())[0], 'TRIGGER'), 'TRIGGER:-PT10M')
  await alice.send('PUT', detailsPath(meeting), standUp({ reminderMinutes: 60 }))
  assert.deepEqual(await app.mails(), [])
  await alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Sit-down', reminderMinutes: 60 }))
  assert.equal(lineOf((await app.mails())[0], 'TRIGGER'), 'TRIGGER:-PT1H')
})

test('emails a cohost who is no participant as a guest: invitation, changes, reminders and removal', async () => {
  const withCarol = (changes: object = {}) => standUp({ participants: [], cohosts: [carol.email], ...changes })
  const meeting = await schedule(alice, withCarol())
  const gist = (mails: readonly Mail[]) => mails.map(({ to, subject }) => `${subject} to ${to}`).toSorted()
  const [invitation, ...others] = await app.mails()
  assert.deepEqual(gist([...others, ...(invitation ? [invitation] : [])]), [
    'Invitation: Stand-up to carol@example.org',
  ])
  assert.match(lineOf(invitation, 'ATTENDEE') ?? '', /:mailto:carol@example\.org$/)

  const accept = /http:\S+\/accepted/.exec(invitation?.text ?? '')?.[0] ?? ''
  const answered = await fetch(accept.replace('http://parley.test', app.base), { method: 'POST', redirect: 'manual' })
  assert.equal(answered.status, 303)
  const read = async () => (await alice.send('GET', detailsPath(meeting))).body[0]
  assert.deepEqual((await read()).participants, [])
  assert.equal((await read()).cohostDetails[0].response, 'accepted')

  await alice.send('PUT', detailsPath(meeting), withCarol({ topic: 'Sit-down' }))
  assert.deepEqual(gist(await app.mails()), ['Changed: Sit-down to carol@example.org'])
  clock.set('2030-01-07T08:50:00Z')
  await app.pool.query('select graphile_worker.add_job($1)', [remindJob.name])
  const reminded = gist(await app.mails())
  assert.ok(reminded.includes('Reminder: Sit-down to carol@example.org'), reminded.join())
  clock.set('2030-01-01T12:00:00Z')

  await alice.send('PUT', detailsPath(meeting), withCarol({ topic: 'Sit-down', cohosts: [] }))
  assert.deepEqual(gist(await app.mails()), ['No longer invited: Sit-down to carol@example.org'])
})

test('sends no new email to a person who becomes a participant or a cohost as well', async () => {
  const meeting = await schedule(alice, standUp({ participants: [bob.email] }))
  await app.mails()
  await alice.send('PUT', detailsPath(meeting), standUp({ participants: [bob.email], cohosts: [bob.email] }))
  await alice.send('PUT', detailsPath(meeting), standUp({ participants: [], cohosts: [bob.email] }))
  assert.deepEqual(await app.mails(), [])
})

test('names the next date of a running series in emails, before and after a change', async () => {
  const whenOf = (mail: Mail | undefined) => /^When: (.*?), \d\d:/m.exec(mail?.text ?? '')?.[1]
  const series = (changes: object = {}) => weekdays({ participants: [bob.email], ...changes })
  const meeting = await schedule(alice, series())
  assert.equal(whenOf((await app.mails())[0]), 'Monday, 7 January 2030')

  clock.set('2030-01-09T09:10:00Z')
  await alice.send('PUT', detailsPath(meeting), series({ participants: [bob.email, carol.email] }))
  // The running date is the one to attend.
  assert.equal(whenOf((await app.mails())[0]), 'Wednesday, 9 January 2030')

  clock.set('2030-01-09T12:00:00Z')
  const later = { startTime: '2030-01-07T10:00:00Z', endTime: '2030-01-07T10:30:00Z' }
  await alice.send('PUT', detailsPath(meeting), series(later))
  const moved = (await app.mails()).find(({ to }) => to === bob.email)
  assert.equal(whenOf(moved), 'Thursday, 10 January 2030')
  assert.match(
    moved?.text ?? '',
    /Before: Thursday, 10 January 2030, 09:00–09:30.*\n {2}Now: Thursday, 10 January 2030, 10:00–10:30/,
  )

  // The next date stays; the first date has changed.
  const begun = { startTime: '2030-01-08T10:00:00Z', endTime: '2030-01-08T10:30:00Z' }
  await alice.send('PUT', detailsPath(meeting), series(begun))
  const [shorter] = await app.mails()
  assert.match(shorter?.text ?? '', /Before: Monday, 7 January 2030.*\n {2}Now: Tuesday, 8 January 2030/)
  clock.set('2030-01-01T12:00:00Z')
})
