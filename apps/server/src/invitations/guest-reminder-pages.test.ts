import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailsPath, meetPeople, schedule, standUp, weekdays } from '../../test/people.ts'
import { runTask } from '../../test/run-task.ts'
import { startApp } from '../../test/start-app.ts'
import { useApp } from '../../test/use-app.ts'
import type { Mail } from '../email/mail.ts'
import { createLog } from '../platform/log.ts'
import { createRemindTask, remindJob } from './guest-reminders.ts'

const baseUrl = 'https://parley.test'
const { app, clock, meet } = await useApp({
  start: '2030-01-01T12:00:00Z',
  environment: { RATE_LIMITS: 'off', BASE_URL: baseUrl },
})
/** All tests share them: none changes their accounts, and each cancels its meetings. */
const [alice, bob, carol] = await meet('Alice', 'Bob', 'Carol')
const series = (changes: object = {}) => weekdays({ participants: [bob.email, 'dan@elsewhere.example'], ...changes })

async function plan(changes: object = {}) {
  const meeting = await schedule(alice, series(changes))
  await app.mails()
  return meeting
}

const queueReminders = () => app.pool.query('select graphile_worker.add_job($1)', [remindJob.name])

/** The reminders of a morning, by their recipients. */
async function remindersOn(day: string): Promise<Map<string, Mail>> {
  clock.set(`2030-01-${day}T08:45:00Z`)
  await queueReminders()
  return new Map((await app.mails()).map((mail) => [mail.to, mail]))
}
const recipients = async (day: string) => [...(await remindersOn(day)).keys()].toSorted()
const cancelQuietly = (meeting: { _id: string }) =>
  alice.send('POST', `/api/meeting/cancel/${meeting._id}?sendUpdates=none`, { cancel: 'all' })

/** The path of a header's or link's URL at this service. */
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
const withoutDan = [alice.email, bob.email]
const everyone = [...withoutDan, 'dan@elsewhere.example']

test('unsubscribes from a reminder by one click in the mail program, and offers that for reminders only', async () => {
  const meeting = await schedule(alice, series())
  for (const mail of await app.mails()) assert.equal(mail.headers, undefined)
  const reminders = await remindersOn('07')
  assert.deepEqual([...reminders.keys()].toSorted(), everyone)
  const toDan = reminders.get('dan@elsewhere.example')
  assert.equal(toDan?.headers?.['List-Unsubscribe-Post'], 'List-Unsubscribe=One-Click')
  assert.ok(toDan?.text.includes(`Stop reminders for this meeting: ${baseUrl}${pathIn(toDan)}`))
  assert.ok(toDan?.html.includes(pathIn(toDan)))
  assert.equal(new Set([...reminders.values()].map(pathIn)).size, 3)

  const clicked = await oneClick(pathIn(toDan))
  assert.equal(clicked.status, 200)
  assert.deepEqual(await recipients('08'), withoutDan)
  // A mail program may repeat the request, and in the other form.
  const again = await oneClick(pathIn(toDan), 'multipart/form-data; boundary=x')
  assert.equal(again.status, 200)
  assert.deepEqual(await recipients('09'), withoutDan)
  // Changes are still emailed.
  await alice.send('PUT', detailsPath(meeting), series({ topic: 'Sit-down' }))
  assert.ok((await app.mails()).some(({ to }) => to === 'dan@elsewhere.example'))
  await cancelQuietly(meeting)
})

test('opening the link changes nothing; the page stops the reminders and undoes it', async () => {
  const meeting = await plan()
  const path = pathIn((await remindersOn('07')).get('dan@elsewhere.example'))
  const asked = await (await look(path)).text()
  assert.match(asked, /Stop sending reminders of this meeting to dan@elsewhere\.example\?/)
  assert.match(asked, /<button class="primary">Stop reminders<\/button>/)
  assert.deepEqual(await recipients('08'), everyone)

  const stopped = await (await oneClick(path)).text()
  assert.match(stopped, /dan@elsewhere\.example won’t get any more reminders of this meeting/)
  const action = /action="([^"]+)"/.exec(stopped)?.[1] ?? 'none'
  assert.equal(action, `${path}/resume`)
  assert.match(await (await look(path)).text(), /Send reminders again/)
  assert.deepEqual(await recipients('09'), withoutDan)
  const resumed = await oneClick(action)
  assert.match(await resumed.text(), /Stop reminders/)
  assert.deepEqual(await recipients('10'), everyone)
  await cancelQuietly(meeting)
})

test('a host and a cohost stop their own reminders; no other person sees it', async () => {
  const meeting = await schedule(alice, series({ participants: [bob.email], cohosts: [carol.email] }))
  await app.mails()
  const reminders = await remindersOn('07')
  await oneClick(pathIn(reminders.get(alice.email)))
  await oneClick(pathIn(reminders.get(carol.email)))
  assert.deepEqual(await recipients('08'), [bob.email])
  const before = (await alice.send('GET', detailsPath(meeting))).body[0]
  await oneClick(pathIn(reminders.get(bob.email)))
  const after = (await alice.send('GET', detailsPath(meeting))).body[0]
  assert.deepEqual(after, before)
  assert.deepEqual(await recipients('09'), [])
  await cancelQuietly(meeting)
})

test('drops a reminder that waits for the mail server when it is stopped', async () => {
  const meeting = await plan()
  const path = pathIn((await remindersOn('07')).get('dan@elsewhere.example'))
  clock.set('2030-01-08T08:45:00Z')
  // The guests are marked, and no email was sent yet.
  await runTask(createRemindTask({ ...app, clock, log: createLog({ level: 'silent' }) }))
  await oneClick(path)
  assert.deepEqual((await app.mails()).map(({ to }) => to).toSorted(), withoutDan)
  await cancelQuietly(meeting)
})

test('answers links of another meeting, of a response, and broken ones alike', async () => {
  const [one, other] = [await plan(), await plan()]
  const reminders = await remindersOn('07')
  const path = pathIn(reminders.get('dan@elsewhere.example'))
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
  const [update] = await app.mails()
  const answerToken = /\/answer\/[\w-]+\/([\w-]+)\//.exec(update?.text ?? '')?.[1]
  assert.equal((await oneClick(`/reminders/${one._id}/${answerToken}`)).status, 404)
  assert.equal((await fetch(`${app.base}${path}`, { method: 'DELETE' })).status, 405)
  await cancelQuietly(one)
  await cancelQuietly(other)
})

test('shows the page in the language of the email', async () => {
  const [gita] = await meet('Gita')
  await gita.send('PUT', '/api/my_profile', { language: 'ar' })
  const meeting = await plan({ participants: [gita.email] })
  const path = pathIn((await remindersOn('07')).get(gita.email))
  const page = await (await look(path, { 'accept-language': 'de' })).text()
  assert.match(page, /<html lang="ar" dir="rtl">/)
  assert.match(page, /إيقاف التذكير/)
  await cancelQuietly(meeting)
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
