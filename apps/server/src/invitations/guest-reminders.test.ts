import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxMailsADay } from '@parley/rules/invitations/mail-limits'
import { cancelPath, detailsPath, meetPeople, schedule, signUp, standUp, weekdays } from '../../test/people.ts'
import { runTask } from '../../test/run-task.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { createLog } from '../platform/log.ts'
import { createRemindTask, remindJob } from './guest-reminders.ts'

const clock = createClock('2029-12-30T12:00:00Z')
const app = await startApp({ clock })
const { alice, bob } = await meetPeople(app)

/** Run the job of this minute, and list the emails sent. */
async function remindedAt(time: string) {
  clock.set(time)
  await app.pool.query('select graphile_worker.add_job($1)', [remindJob.name])
  const mails = await app.mails()
  return mails.map(({ to, subject }) => `${subject} to ${to}`).toSorted()
}

/** A meeting whose invitations were sent. */
async function plan(changes: object = {}, make: (changes: object) => object = standUp) {
  clock.set('2030-01-01T12:00:00Z')
  const meeting = await schedule(alice, make(changes))
  await app.mails()
  return meeting
}
const both = ['Reminder: Stand-up to alice@example.org', 'Reminder: Stand-up to bob@example.org']
const end = async (meeting: { _id: string }) => {
  await alice.send('POST', `${cancelPath(meeting)}?sendUpdates=none`, { cancel: 'all' })
}

test('reminds host and participants once, a quarter of an hour before', async () => {
  const meeting = await plan()
  assert.deepEqual(await remindedAt('2030-01-07T08:44:59Z'), [])
  const before = (await alice.send('GET', detailsPath(meeting))).headers.get('etag')
  assert.deepEqual(await remindedAt('2030-01-07T08:45:00Z'), both)
  assert.deepEqual(await remindedAt('2030-01-07T08:46:00Z'), [])
  const { body, headers } = await alice.send('GET', detailsPath(meeting))
  assert.equal(body[0].notificationsSend.reminderMail, true)
  assert.equal(headers.get('etag'), before)
  await end(meeting)
})

test('a reminder says when and how to enter, and carries no calendar', async () => {
  const meeting = await plan({ participants: [] })
  clock.set('2030-01-07T08:45:00Z')
  await app.pool.query('select graphile_worker.add_job($1)', [remindJob.name])
  const [mail] = await app.mails()
  assert.match(mail?.text ?? '', /This meeting starts soon: Monday,? 7 January 2030 at 09:00/)
  assert.ok(mail?.text.includes(meeting.meetingUrl))
  assert.equal(mail?.calendar, undefined)
  await end(meeting)
})

test("reminds of each date of a series, in the meeting's time zone across the start of summer time", async () => {
  const meeting = await plan(
    {
      startTime: '2030-03-29T09:00:00Z',
      endTime: '2030-03-29T09:30:00Z',
      repeatOptions: { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 1, 0], timeZone: 'BST' },
    },
    weekdays,
  )
  assert.deepEqual(await remindedAt('2030-03-29T08:45:00Z'), both)
  assert.deepEqual(await remindedAt('2030-04-01T07:44:00Z'), [])
  assert.deepEqual(await remindedAt('2030-04-01T07:45:00Z'), both)
  assert.deepEqual(await remindedAt('2030-04-01T08:45:00Z'), [])
  await end(meeting)
})

test('prefers the meeting’s minutes to the service’s; 0 is none, and a change without them keeps them', async () => {
  const meeting = await plan({ reminderMinutes: 60 })
  assert.equal((await alice.send('GET', detailsPath(meeting))).body[0].reminderMinutes, 60)
  await alice.send('PUT', detailsPath(meeting), standUp({ advancedOptions: { waitingRoom: true } }))
  assert.deepEqual(await remindedAt('2030-01-07T08:00:00Z'), both)
  const never = await plan({ reminderMinutes: 0 })
  assert.deepEqual(await remindedAt('2030-01-07T08:59:00Z'), [])
  await alice.send('PUT', detailsPath(never), standUp({ reminderMinutes: null }))
  assert.equal((await alice.send('GET', detailsPath(never))).body[0].reminderMinutes, null)
  for (const wrong of [-1, 40_321]) {
    const { status, body } = await alice.send('POST', '/api/meeting', standUp({ reminderMinutes: wrong }))
    assert.deepEqual([status, body.errors[0].path], [400, '/reminderMinutes'])
  }
  await end(meeting)
  await end(never)
})

test('reminds of a moved meeting at its new time only', async () => {
  const meeting = await plan()
  const moved = { startTime: '2030-01-07T11:00:00Z', endTime: '2030-01-07T11:30:00Z' }
  await alice.send('PUT', detailsPath(meeting), standUp(moved))
  await app.mails()
  assert.deepEqual(await remindedAt('2030-01-07T08:45:00Z'), [])
  assert.deepEqual(await remindedAt('2030-01-07T10:45:00Z'), both)
  await end(meeting)
})

test('does not remind of a cancelled meeting or a cancelled date', async () => {
  const meeting = await plan()
  await end(meeting)
  assert.deepEqual(await remindedAt('2030-01-07T08:45:00Z'), [])
  const series = await plan({}, weekdays)
  await alice.send('POST', `${cancelPath(series)}?sendUpdates=none`, { cancel: 'current' })
  const third = { cancel: 'current', occurrence: '2030-01-09T09:00:00Z' }
  await alice.send('POST', `${cancelPath(series)}?sendUpdates=none`, third)
  assert.deepEqual(await remindedAt('2030-01-07T08:45:00Z'), [])
  assert.deepEqual(await remindedAt('2030-01-08T08:45:00Z'), both)
  assert.deepEqual(await remindedAt('2030-01-09T08:45:00Z'), [])
  assert.deepEqual(await remindedAt('2030-01-10T08:45:00Z'), both)
  await end(series)
})

test('drops a queued reminder when the meeting is moved or cancelled', async () => {
  const meeting = await plan()
  clock.set('2030-01-07T08:45:00Z')
  await queueReminders()
  await end(meeting)
  assert.deepEqual(await app.mails(), [])
  const late = await plan()
  clock.set('2030-01-07T08:45:00Z')
  await queueReminders()
  clock.set('2030-01-07T09:00:00Z')
  assert.deepEqual(await app.mails(), [])
  await end(late)
})

test('sends no reminder to a guest who has declined', async () => {
  const meeting = await plan()
  await app.pool.query("update participant set response = 'declined' where meeting_id = $1", [meeting._id])
  assert.deepEqual(await remindedAt('2030-01-07T08:45:00Z'), ['Reminder: Stand-up to alice@example.org'])
  await end(meeting)
})

test('after an outage reminds of meetings that are still ahead, and not of begun ones', async () => {
  const meeting = await plan({}, weekdays)
  assert.deepEqual(await remindedAt('2030-01-09T08:50:00Z'), both)
  assert.deepEqual(await remindedAt('2030-01-09T08:51:00Z'), [])
  await end(meeting)
})

test('several instances at the same minute remind once', async () => {
  const meetings = []
  for (let index = 0; index < 50; index++) meetings.push(await plan({ participants: [] }))
  clock.set('2030-01-07T08:45:00Z')
  await Promise.all(Array.from({ length: 6 }, () => queueReminders()))
  const mails = await app.mails()
  assert.equal(mails.length, 50)
  assert.equal(new Set(mails.map(({ messageId }) => messageId)).size, 50)
  for (const meeting of meetings) await end(meeting)
})

test('reminds only the host beyond the daily number of emails', async () => {
  // After all mails of the tests above.
  clock.set('2030-06-01T12:00:00Z')
  const erin = await signUp(app, 'Erin')
  const repeatOptions = { repeat: 'daily', endDate: '2030-06-04T23:59:59Z', timeZone: 'GMT' }
  const times = { startTime: '2030-06-03T09:00:00Z', endTime: '2030-06-03T09:30:00Z' }
  const meeting = await schedule(erin, standUp({ ...times, repeatOptions }))
  await app.mails()
  const spend = async (mails: number, time: string) => {
    const spent = `insert into guest_mail (meeting_id, email_key, id, kind, sequence, state_sequence, sender_id, started_at, outcome)
      select id, 'guest' || n || '@elsewhere.example', gen_random_uuid(), 'spent', 0, 0, host_id, $3, 'sent'
      from meeting, generate_series(1, $2::integer) as n where id = $1`
    await app.pool.query("delete from guest_mail where kind = 'spent'")
    await app.pool.query(spent, [meeting._id, mails, new Date(time)])
  }
  await spend(maxMailsADay, '2030-06-03T08:00:00Z')
  assert.deepEqual(await remindedAt('2030-06-03T08:45:00Z'), ['Reminder: Stand-up to erin@example.org'])
  assert.ok(app.logged.some((line) => line.includes('guests are not reminded')))
  await spend(maxMailsADay - 1, '2030-06-04T08:00:00Z')
  assert.deepEqual(await remindedAt('2030-06-04T08:45:00Z'), [
    'Reminder: Stand-up to bob@example.org',
    'Reminder: Stand-up to erin@example.org',
  ])
})

test('reminds only guests who know of the meeting', async () => {
  clock.set('2030-01-01T12:00:00Z')
  const changes = { participants: [bob.email, 'stranger@elsewhere.example'] }
  const { body: made } = await alice.send('POST', '/api/meeting?sendUpdates=none', weekdays(changes))
  const meeting = made.meetingDetails
  assert.deepEqual(await app.mails(), [])
  const all = [...both, 'Reminder: Stand-up to stranger@elsewhere.example']
  assert.deepEqual(await remindedAt('2030-01-07T08:45:00Z'), both.slice(0, 1))
  // Bob sees it in the service, and answers.
  assert.equal((await bob.send('POST', `${detailsPath(meeting)}/response`, { response: 'tentative' })).status, 200)
  assert.deepEqual(await remindedAt('2030-01-08T08:45:00Z'), both)
  // An update is mailed to all.
  const updated = await alice.send('PUT', detailsPath(meeting), weekdays({ ...changes, description: 'New room' }))
  assert.equal(updated.status, 200)
  await app.mails()
  assert.deepEqual(await remindedAt('2030-01-09T08:45:00Z'), all)
  // A split without mail: their calendars have its dates.
  const split = { occurrence: '2030-01-11T09:00:00Z' }
  const { status, body: rest } = await alice.send('POST', `${detailsPath(meeting)}/split?sendUpdates=none`, split)
  assert.equal(status, 200)
  assert.deepEqual(await remindedAt('2030-01-11T08:45:00Z'), all)
  await end(meeting)
  await end(rest)
})

test('reminders count for the account that invited the guest', async () => {
  clock.set('2030-01-01T12:00:00Z')
  const cohosts = [bob.email]
  const meeting = await schedule(alice, standUp({ participants: ['carol@example.org'], cohosts }))
  const participants = ['carol@example.org', 'dave@elsewhere.example']
  assert.equal((await bob.send('PUT', detailsPath(meeting), standUp({ participants, cohosts }))).status, 200)
  await app.mails()
  const reminders = [
    'Reminder: Stand-up to alice@example.org',
    'Reminder: Stand-up to bob@example.org',
    'Reminder: Stand-up to carol@example.org',
    'Reminder: Stand-up to dave@elsewhere.example',
  ]
  assert.deepEqual(await remindedAt('2030-01-07T08:45:00Z'), reminders)
  const { rows } = await app.pool.query(
    `select g.email_key || ' by ' || coalesce(a.email, 'none') as paid from guest_mail g
      left join account a on a.id = g.sender_id where g.meeting_id = $1 and g.kind = 'reminder' order by g.email_key`,
    [meeting._id],
  )
  assert.deepEqual(
    rows.map(({ paid }) => paid),
    [
      'alice@example.org by none',
      'bob@example.org by alice@example.org',
      'carol@example.org by alice@example.org',
      'dave@elsewhere.example by bob@example.org',
    ],
  )
  await end(meeting)
})

test('sends no reminder for a meeting scheduled later than the reminder time, because its invitation was just sent', async () => {
  clock.set('2030-01-07T08:50:00Z')
  const meeting = await schedule(alice, standUp())
  await app.mails()
  assert.deepEqual(await remindedAt('2030-01-07T08:51:00Z'), [])
  await end(meeting)
})

/** The task of one instance, run by hand; the emails wait. */
const queueReminders = () =>
  runTask(createRemindTask({ database: app.database, clock, config: app.config, log: createLog({ level: 'silent' }) }))

test('reminds of a date those who have not declined it, whatever they answered for the series', async () => {
  const meeting = await plan({}, weekdays)
  const respond = (response: string, occurrence?: string) =>
    bob.send('POST', `${detailsPath(meeting)}/response`, { response, occurrence })
  assert.equal((await respond('accepted')).status, 200)
  assert.equal((await respond('declined', '2030-01-08T09:00:00Z')).status, 200)
  assert.deepEqual(await remindedAt('2030-01-07T08:45:00Z'), both)
  assert.deepEqual(await remindedAt('2030-01-08T08:45:00Z'), both.slice(0, 1))
  assert.equal((await respond('declined')).status, 200)
  assert.equal((await respond('tentative', '2030-01-10T09:00:00Z')).status, 200)
  const moved = { startTime: '2030-01-11T11:00:00Z' }
  clock.set('2030-01-08T12:00:00Z')
  await alice.send('PUT', `${detailsPath(meeting)}/occurrences/2030-01-11T09:00:00Z?sendUpdates=none`, moved)
  assert.deepEqual(await remindedAt('2030-01-09T08:45:00Z'), both.slice(0, 1))
  assert.deepEqual(await remindedAt('2030-01-10T08:45:00Z'), both)
  assert.deepEqual(await remindedAt('2030-01-11T10:45:00Z'), both, 'it was moved after the answer to the series')
  await end(meeting)
})
