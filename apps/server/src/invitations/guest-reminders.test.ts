import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxMailsADay } from '@parley/rules/invitations/mail-limits'
import { subjectOf } from '../../test/mailbox.ts'
import { cancelPath, detailsPath, meetPeople, type Person, schedule, standUp, weekdays } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { runTask } from '../../test/run-task.ts'
import { startApp } from '../../test/start-app.ts'
import { useApp } from '../../test/use-app.ts'
import type { Mail } from '../email/mail.ts'
import { createLog } from '../platform/log.ts'
import { createRemindTask, remindJob } from './guest-reminders.ts'

const baseUrl = 'https://parley.test'
/** A test reads the emails to its own people; the job also reminds of the meetings of other tests. */
const { app, clock, meet, mailsTo, addressOf } = await useApp({
  start: '2030-01-01T12:00:00Z',
  emails: 'dropped',
  environment: { BASE_URL: baseUrl },
})

type Meeting = { _id: string }

async function readMails(people: (Person | string)[]): Promise<Mail[]> {
  const mails: Mail[] = []
  for (const person of people) mails.push(...(await mailsTo(person)))
  return mails
}

/** Queue the reminders that are due, as one instance does; the emails wait. */
const queueReminders = () => runTask(createRemindTask({ ...app, clock, log: createLog({ level: 'silent' }) }))

/** Run the job of this minute, and return the emails to these people. */
async function reminders(time: string, people: (Person | string)[]) {
  clock.set(time)
  await app.pool.query('select graphile_worker.add_job($1)', [remindJob.name])
  return readMails(people)
}

/** Meet Alice, who hosts meetings with Bob. */
async function meetHost() {
  const [alice, bob, carol] = await meet('Alice', 'Bob', 'Carol')
  return {
    alice,
    bob,
    carol,
    both: [`Reminder: Stand-up to ${alice.email}`, `Reminder: Stand-up to ${bob.email}`],
    withBob: (changes: object = {}) => standUp({ participants: [bob.email], ...changes }),
    /** Schedule a meeting whose invitations are sent. */
    async plan(changes: object = {}, make: (changes: object) => object = standUp) {
      const meeting = await schedule(alice, make({ participants: [bob.email], ...changes }))
      await readMails([bob])
      return meeting
    },
    /** Cancel a meeting, and email no guest. */
    cancel: (meeting: Meeting, what: object = { cancel: 'all' }) =>
      expectOk(alice.send('POST', `${cancelPath(meeting)}?sendUpdates=none`, what)),
    async remindedAt(time: string, people: (Person | string)[] = [alice, bob]) {
      return (await reminders(time, people)).map((mail) => `${subjectOf(mail)} to ${mail.to}`).toSorted()
    },
  }
}

test('reminds host and participants once, a quarter of an hour before', async () => {
  const { alice, both, plan, remindedAt } = await meetHost()
  const meeting = await plan()
  assert.deepEqual(await remindedAt('2030-01-07T08:44:59Z'), [])
  const before = (await alice.send('GET', detailsPath(meeting))).headers.get('etag')
  assert.deepEqual(await remindedAt('2030-01-07T08:45:00Z'), both)
  assert.deepEqual(await remindedAt('2030-01-07T08:46:00Z'), [])
  const { body, headers } = await alice.send('GET', detailsPath(meeting))
  assert.equal(body[0].notificationsSend.reminderMail, true)
  assert.equal(headers.get('etag'), before)
})

test('a reminder says when and how to enter, and carries no calendar', async () => {
  const { alice, plan } = await meetHost()
  const meeting = await plan({ participants: [] })
  const [mail] = await reminders('2030-01-07T08:45:00Z', [alice])
  assert.match(mail?.text ?? '', /This meeting starts soon: Monday,? 7 January 2030 at 09:00/)
  assert.ok(mail?.text.includes(meeting.meetingUrl))
  assert.equal(mail?.calendar, undefined)
})

test("reminds of each date of a series, in the meeting's time zone across the start of summer time", async () => {
  const { both, plan, remindedAt } = await meetHost()
  await plan(
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
})

test('prefers the meeting’s minutes to the service’s; 0 is none, and a change without them keeps them', async () => {
  const { alice, both, withBob, plan, remindedAt } = await meetHost()
  const meeting = await plan({ reminderMinutes: 60 })
  assert.equal((await alice.send('GET', detailsPath(meeting))).body[0].reminderMinutes, 60)
  await alice.send('PUT', detailsPath(meeting), withBob({ advancedOptions: { waitingRoom: true } }))
  assert.deepEqual(await remindedAt('2030-01-07T08:00:00Z'), both)
  const never = await plan({ reminderMinutes: 0 })
  assert.deepEqual(await remindedAt('2030-01-07T08:59:00Z'), [])
  await alice.send('PUT', detailsPath(never), withBob({ reminderMinutes: null }))
  assert.equal((await alice.send('GET', detailsPath(never))).body[0].reminderMinutes, null)
  for (const wrong of [-1, 40_321]) {
    const refused = await expectProblem(
      alice.send('POST', '/api/meeting', standUp({ reminderMinutes: wrong })),
      'invalid_request',
    )
    assert.equal(refused.errors[0].path, '/reminderMinutes')
  }
})

test('reminds of a moved meeting at its new time only', async () => {
  const { alice, bob, both, withBob, plan, remindedAt } = await meetHost()
  const meeting = await plan()
  const moved = { startTime: '2030-01-07T11:00:00Z', endTime: '2030-01-07T11:30:00Z' }
  await expectOk(alice.send('PUT', detailsPath(meeting), withBob(moved)))
  await readMails([bob])
  assert.deepEqual(await remindedAt('2030-01-07T08:45:00Z'), [])
  assert.deepEqual(await remindedAt('2030-01-07T10:45:00Z'), both)
})

test('does not remind of a cancelled meeting or a cancelled date', async () => {
  const { both, plan, cancel, remindedAt } = await meetHost()
  const meeting = await plan()
  await cancel(meeting)
  assert.deepEqual(await remindedAt('2030-01-07T08:45:00Z'), [])
  const series = await plan({}, weekdays)
  await cancel(series, { cancel: 'current' })
  await cancel(series, { cancel: 'current', occurrence: '2030-01-09T09:00:00Z' })
  assert.deepEqual(await remindedAt('2030-01-07T08:45:00Z'), [])
  assert.deepEqual(await remindedAt('2030-01-08T08:45:00Z'), both)
  assert.deepEqual(await remindedAt('2030-01-09T08:45:00Z'), [])
  assert.deepEqual(await remindedAt('2030-01-10T08:45:00Z'), both)
})

test('drops a queued reminder when the meeting is cancelled or has begun', async () => {
  const { alice, bob, plan, cancel } = await meetHost()
  const cancelled = await plan()
  clock.set('2030-01-07T08:45:00Z')
  await queueReminders()
  await cancel(cancelled)
  assert.deepEqual(await readMails([alice, bob]), [])
  clock.set('2030-01-01T12:00:00Z')
  await plan()
  clock.set('2030-01-07T08:45:00Z')
  await queueReminders()
  clock.set('2030-01-07T09:00:00Z')
  assert.deepEqual(await readMails([alice, bob]), [])
})

test('sends no reminder to a guest who has declined', async () => {
  const { both, plan, remindedAt } = await meetHost()
  const meeting = await plan()
  await app.pool.query("update participant set response = 'declined' where meeting_id = $1", [meeting._id])
  assert.deepEqual(await remindedAt('2030-01-07T08:45:00Z'), both.slice(0, 1))
})

test('after an outage reminds of meetings that are still ahead, and not of begun ones', async () => {
  const { both, plan, remindedAt } = await meetHost()
  await plan({}, weekdays)
  assert.deepEqual(await remindedAt('2030-01-09T08:50:00Z'), both)
  assert.deepEqual(await remindedAt('2030-01-09T08:51:00Z'), [])
})

test('several instances at the same minute remind once', async () => {
  const { alice, plan } = await meetHost()
  for (let index = 0; index < 50; index++) await plan({ participants: [] })
  clock.set('2030-01-07T08:45:00Z')
  await Promise.all(Array.from({ length: 6 }, () => queueReminders()))
  const mails = await readMails([alice])
  assert.equal(mails.length, 50)
  assert.equal(new Set(mails.map(({ messageId }) => messageId)).size, 50)
})

test('reminds only the host beyond the daily number of emails', async () => {
  const { both, plan, remindedAt } = await meetHost()
  const repeatOptions = { repeat: 'daily', endDate: '2030-01-08T23:59:59Z', timeZone: 'GMT' }
  const meeting = await plan({ repeatOptions })
  const spend = async (mails: number, time: string) => {
    const spent = `insert into guest_mail (meeting_id, email_key, id, kind, sequence, state_sequence, sender_id, started_at, outcome)
      select id, 'guest' || n || '@elsewhere.example', gen_random_uuid(), 'spent', 0, 0, host_id, $3, 'sent'
      from meeting, generate_series(1, $2::integer) as n where id = $1`
    await app.pool.query("delete from guest_mail where kind = 'spent' and meeting_id = $1", [meeting._id])
    await app.pool.query(spent, [meeting._id, mails, new Date(time)])
  }
  await spend(maxMailsADay, '2030-01-07T08:00:00Z')
  assert.deepEqual(await remindedAt('2030-01-07T08:45:00Z'), both.slice(0, 1))
  const log = app.logged.filter((line) => line.includes(meeting._id))
  assert.ok(log.some((line) => line.includes('guests are not reminded')))
  await spend(maxMailsADay - 1, '2030-01-08T08:00:00Z')
  assert.deepEqual(await remindedAt('2030-01-08T08:45:00Z'), both)
})

test('reminds only guests who know of the meeting', async () => {
  const { alice, bob, both, remindedAt } = await meetHost()
  const stranger = addressOf('Stranger')
  const people = [alice, bob, stranger]
  const changes = { participants: [bob.email, stranger] }
  const { meetingDetails: meeting } = await expectOk(
    alice.send('POST', '/api/meeting?sendUpdates=none', weekdays(changes)),
  )
  assert.deepEqual(await readMails(people), [])
  const all = [...both, `Reminder: Stand-up to ${stranger}`]
  assert.deepEqual(await remindedAt('2030-01-07T08:45:00Z', people), both.slice(0, 1))
  // Bob sees it in the service, and answers.
  await expectOk(bob.send('POST', `${detailsPath(meeting)}/response`, { response: 'tentative' }))
  assert.deepEqual(await remindedAt('2030-01-08T08:45:00Z', people), both)
  // An update is mailed to all.
  await expectOk(alice.send('PUT', detailsPath(meeting), weekdays({ ...changes, description: 'New room' })))
  await readMails(people)
  assert.deepEqual(await remindedAt('2030-01-09T08:45:00Z', people), all)
  // A split without mail: their calendars have its dates.
  const split = { occurrence: '2030-01-11T09:00:00Z' }
  await expectOk(alice.send('POST', `${detailsPath(meeting)}/split?sendUpdates=none`, split))
  assert.deepEqual(await remindedAt('2030-01-11T08:45:00Z', people), all)
})

test('reminders count for the account that invited the guest', async () => {
  const { alice, bob, carol, plan, remindedAt } = await meetHost()
  const dave = addressOf('Dave')
  const people = [alice, bob, carol, dave]
  const cohosts = [bob.email]
  const meeting = await plan({ participants: [carol.email], cohosts })
  const more = standUp({ participants: [carol.email, dave], cohosts })
  await expectOk(bob.send('PUT', detailsPath(meeting), more))
  await readMails(people)
  const expected = [alice.email, bob.email, carol.email, dave].map((address) => `Reminder: Stand-up to ${address}`)
  assert.deepEqual(await remindedAt('2030-01-07T08:45:00Z', people), expected)
  const { rows } = await app.pool.query(
    `select g.email_key || ' by ' || coalesce(a.email, 'none') as paid from guest_mail g
      left join account a on a.id = g.sender_id where g.meeting_id = $1 and g.kind = 'reminder' order by g.email_key`,
    [meeting._id],
  )
  assert.deepEqual(
    rows.map(({ paid }) => paid),
    [
      `${alice.email} by none`,
      `${bob.email} by ${alice.email}`,
      `${carol.email} by ${alice.email}`,
      `${dave} by ${bob.email}`,
    ],
  )
})

test('sends no reminder for a meeting scheduled later than the reminder time, because its invitation was just sent', async () => {
  const { plan, remindedAt } = await meetHost()
  clock.set('2030-01-07T08:50:00Z')
  await plan()
  assert.deepEqual(await remindedAt('2030-01-07T08:51:00Z'), [])
})

test('reminds of a date those who have not declined it, whatever they answered for the series', async () => {
  const { alice, bob, both, plan, remindedAt } = await meetHost()
  const meeting = await plan({}, weekdays)
  const respond = (response: string, occurrence?: string) =>
    expectOk(bob.send('POST', `${detailsPath(meeting)}/response`, { response, occurrence }))
  await respond('accepted')
  await respond('declined', '2030-01-08T09:00:00Z')
  assert.deepEqual(await remindedAt('2030-01-07T08:45:00Z'), both)
  assert.deepEqual(await remindedAt('2030-01-08T08:45:00Z'), both.slice(0, 1))
  await respond('declined')
  await respond('tentative', '2030-01-10T09:00:00Z')
  const moved = { startTime: '2030-01-11T11:00:00Z' }
  clock.set('2030-01-08T12:00:00Z')
  await alice.send('PUT', `${detailsPath(meeting)}/occurrences/2030-01-11T09:00:00Z?sendUpdates=none`, moved)
  assert.deepEqual(await remindedAt('2030-01-09T08:45:00Z'), both.slice(0, 1))
  assert.deepEqual(await remindedAt('2030-01-10T08:45:00Z'), both)
  assert.deepEqual(await remindedAt('2030-01-11T10:45:00Z'), both, 'it was moved after the answer to the series')
})

/** The path of the link in a reminder's header. */
const pathIn = (mail: Mail | undefined) =>
  /^<https:\/\/parley\.test(\/reminders\/[\w/-]+)>$/.exec(mail?.headers?.['List-Unsubscribe'] ?? '')?.[1] ?? 'none'
const look = (path: string, headers: Record<string, string> = {}) => fetch(`${app.base}${path}`, { headers })
/** Request it as a mail program does (RFC 8058, 3.2). */
const oneClick = (path: string, type = 'application/x-www-form-urlencoded') =>
  fetch(`${app.base}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': type },
    body: 'List-Unsubscribe=One-Click',
  })

/** Meet Alice, who hosts a series with Bob, and with Dan, who has no account. */
async function meetHostOfSeries() {
  const { alice, bob, carol, plan } = await meetHost()
  const dan = addressOf('Dan')
  const people = [alice, bob, carol, dan]
  const remindersOn = async (day: string) =>
    new Map((await reminders(`2030-01-${day}T08:45:00Z`, people)).map((mail) => [mail.to, mail]))
  return {
    alice,
    bob,
    carol,
    dan,
    people,
    withoutDan: [alice.email, bob.email],
    everyone: [alice.email, bob.email, dan],
    series: (changes: object = {}) => weekdays({ participants: [bob.email, dan], ...changes }),
    planSeries: (changes: object = {}) => plan({ participants: [bob.email, dan], ...changes }, weekdays),
    /** The reminders of a morning, by their recipients. */
    remindersOn,
    recipients: async (day: string) => [...(await remindersOn(day)).keys()].toSorted(),
  }
}

test('unsubscribes from a reminder by one click in the mail program, and offers that for reminders only', async () => {
  const { alice, dan, people, withoutDan, everyone, series, remindersOn, recipients } = await meetHostOfSeries()
  const meeting = await schedule(alice, series())
  for (const mail of await readMails(people)) assert.equal(mail.headers, undefined)
  const sent = await remindersOn('07')
  assert.deepEqual([...sent.keys()].toSorted(), everyone)
  const toDan = sent.get(dan)
  assert.equal(toDan?.headers?.['List-Unsubscribe-Post'], 'List-Unsubscribe=One-Click')
  assert.ok(toDan?.text.includes(`Stop reminders for this meeting: ${baseUrl}${pathIn(toDan)}`))
  assert.ok(toDan?.html.includes(pathIn(toDan)))
  assert.equal(new Set([...sent.values()].map(pathIn)).size, 3)

  const clicked = await oneClick(pathIn(toDan))
  assert.equal(clicked.status, 200)
  assert.deepEqual(await recipients('08'), withoutDan)
  // A mail program may repeat the request, and in the other form.
  const again = await oneClick(pathIn(toDan), 'multipart/form-data; boundary=x')
  assert.equal(again.status, 200)
  assert.deepEqual(await recipients('09'), withoutDan)
  // Changes are still emailed.
  await alice.send('PUT', detailsPath(meeting), series({ topic: 'Sit-down' }))
  assert.equal((await mailsTo(dan)).length, 1)
})

test('opening the link changes nothing; the page stops the reminders and undoes it', async () => {
  const { dan, withoutDan, everyone, planSeries, remindersOn, recipients } = await meetHostOfSeries()
  await planSeries()
  const path = pathIn((await remindersOn('07')).get(dan))
  const asked = await (await look(path)).text()
  assert.match(asked, /Stop sending reminders of this meeting to dan\.\d+@example\.org\?/)
  assert.match(asked, /<button class="primary">Stop reminders<\/button>/)
  assert.deepEqual(await recipients('08'), everyone)

  const stopped = await (await oneClick(path)).text()
  assert.match(stopped, /dan\.\d+@example\.org won’t get any more reminders of this meeting/)
  const action = /action="([^"]+)"/.exec(stopped)?.[1] ?? 'none'
  assert.equal(action, `${path}/resume`)
  assert.match(await (await look(path)).text(), /Send reminders again/)
  assert.deepEqual(await recipients('09'), withoutDan)
  const resumed = await oneClick(action)
  assert.match(await resumed.text(), /Stop reminders/)
  assert.deepEqual(await recipients('10'), everyone)
})

test('a host and a cohost stop their own reminders; no other person sees it', async () => {
  const { alice, bob, carol, planSeries, remindersOn, recipients } = await meetHostOfSeries()
  const meeting = await planSeries({ participants: [bob.email], cohosts: [carol.email] })
  const sent = await remindersOn('07')
  await oneClick(pathIn(sent.get(alice.email)))
  await oneClick(pathIn(sent.get(carol.email)))
  assert.deepEqual(await recipients('08'), [bob.email])
  const before = (await alice.send('GET', detailsPath(meeting))).body[0]
  await oneClick(pathIn(sent.get(bob.email)))
  const after = (await alice.send('GET', detailsPath(meeting))).body[0]
  assert.deepEqual(after, before)
  assert.deepEqual(await recipients('09'), [])
})

test('drops a reminder that waits for the mail server when it is stopped', async () => {
  const { dan, people, withoutDan, planSeries, remindersOn } = await meetHostOfSeries()
  await planSeries()
  const path = pathIn((await remindersOn('07')).get(dan))
  clock.set('2030-01-08T08:45:00Z')
  // The guests are marked, and no email was sent yet.
  await queueReminders()
  await oneClick(path)
  assert.deepEqual((await readMails(people)).map(({ to }) => to).toSorted(), withoutDan)
})

test('answers links of another meeting, of a response, and broken ones alike', async () => {
  const { alice, dan, series, planSeries, remindersOn } = await meetHostOfSeries()
  const [one, other] = [await planSeries(), await planSeries()]
  const sent = await remindersOn('07')
  const path = pathIn(sent.get(dan))
  const [, , id = '', token = ''] = path.split('/')
  const another = id === one._id ? other._id : one._id
  const broken = [`/reminders/${another}/${token}`, `/reminders/${id}/${token.slice(1)}`, `/reminders/x/${token}`]
  for (const wrong of [...broken, `/reminders/${id}/%00`]) {
    for (const response of [await look(wrong), await oneClick(wrong), await oneClick(`${wrong}/resume`)]) {
      assert.equal(response.status, 404, wrong)
    }
  }
  assert.equal((await app.pool.query('select from stopped_reminder where meeting_id = $1', [another])).rowCount, 0)
  clock.set('2030-01-01T12:00:00Z')
  await alice.send('PUT', detailsPath(one), series({ topic: 'Changed' }))
  const update = (await mailsTo(dan)).at(-1)
  const answerToken = /\/answer\/[\w-]+\/([\w-]+)\//.exec(update?.text ?? '')?.[1]
  assert.equal((await oneClick(`/reminders/${one._id}/${answerToken}`)).status, 404)
  assert.equal((await fetch(`${app.base}${path}`, { method: 'DELETE' })).status, 405)
})

test('shows the page in the language of the email', async () => {
  const { bob, planSeries, remindersOn } = await meetHostOfSeries()
  await bob.send('PUT', '/api/my_profile', { language: 'ar' })
  await planSeries()
  const path = pathIn((await remindersOn('07')).get(bob.email))
  const page = await (await look(path, { 'accept-language': 'de' })).text()
  assert.match(page, /<html lang="ar" dir="rtl">/)
  assert.match(page, /إيقاف التذكير/)
})

test('lets a mail program only open the page where links are not https (RFC 8058, 3.1)', async () => {
  const plain = await startApp({ clock, environment: { RATE_LIMITS: 'off' } })
  const people = await meetPeople(plain)
  await schedule(people.alice, standUp({ participants: [] }))
  clock.set('2030-01-07T08:45:00Z')
  await plain.pool.query('select graphile_worker.add_job($1)', [remindJob.name])
  const [mail] = await plain.mails()
  assert.match(mail?.headers?.['List-Unsubscribe'] ?? '', /^<http:\/\/parley\.test\/reminders\//)
  assert.equal(mail?.headers?.['List-Unsubscribe-Post'], undefined)
})
