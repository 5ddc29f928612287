import assert from 'node:assert/strict'
import { test } from 'node:test'
import { googleReply } from '../../test/meetings/calendar-replies.ts'
import { calendarTo, replyFieldsOf } from '../../test/meetings/reply-mailbox.ts'
import { detailsPath, type Person, schedule, standUp, weekdays } from '../../test/people.ts'
import { runTask } from '../../test/run-task.ts'
import { useApp } from '../../test/use-app.ts'
import { createDigestTask, sendDigestsJob } from './digests.ts'
import { guestToken } from './guest-links.ts'

const { app, clock, olga, meet } = await useApp({
  start: '2030-01-01T12:00:00Z',
  environment: { RATE_LIMITS: 'off', REPLY_ADDRESS: 'rsvp@meet.example.org' },
})

/** Meet a host and guests. `one` is the digest of the host with one answer. */
async function meetHost() {
  const [alice, bob, carol] = await meet('Alice', 'Bob', 'Carol')
  return {
    alice,
    bob,
    carol,
    one: [`${alice.email} New answers to your meetings: 1`],
    async invite(meeting: object, participants = [bob.email]) {
      const scheduled = await schedule(alice, { ...meeting, participants })
      return { meeting: scheduled, replyFields: replyFieldsOf(calendarTo(bob.email, await app.mails()), bob.email) }
    },
  }
}
const receive = (content: string) => app.receiveMail({ content: Buffer.from(content), recipients: [], isBounce: false })

/** Months go by, and all people stay signed in. */
async function goTo(time: string) {
  clock.set(time)
  await app.pool.query('update session set last_used_at = $1, expires_at = $1::timestamptz + $2::interval', [
    clock.now(),
    '1 day',
  ])
}

/** Run the job of this minute, and return the digests that it sends. */
async function digestsAt(time: string) {
  await goTo(time)
  await app.pool.query('select graphile_worker.add_job($1)', [sendDigestsJob.name])
  return app.mails()
}
const listedAt = async (time: string) => (await digestsAt(time)).map(({ to, subject }) => `${to} ${subject}`)
const switchTo = (person: Person, answerDigest: boolean, others: object = {}) =>
  person.send('PUT', '/api/my_profile', { answerDigest, ...others })
const respond = async (person: Person, meeting: { _id: string }, response: string, occurrence?: string) => {
  const answer = await person.send('POST', `${detailsPath(meeting)}/response`, { response, occurrence })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}

test('is off at first; switched on, it lists at seven what came since, once, and says nothing where nothing came', async () => {
  const { alice, bob, carol, one, invite } = await meetHost()
  const { meeting } = await invite(weekdays({ topic: 'Review' }), [bob.email, carol.email])
  assert.equal((await alice.send('GET', '/api/my_profile')).body.answerDigest, false)
  await respond(bob, meeting, 'accepted')
  assert.deepEqual(await listedAt('2030-01-02T07:00:00Z'), [])
  assert.equal((await switchTo(alice, true, { timeZone: 'Europe/Berlin' })).body.answerDigest, true)
  assert.deepEqual(await listedAt('2030-01-02T08:00:00Z'), [])
  await goTo('2030-01-02T12:00:00Z')
  await respond(carol, meeting, 'tentative')
  await respond(bob, meeting, 'declined', '2030-01-08T09:00:00Z')
  assert.deepEqual(await listedAt('2030-01-03T05:59:59Z'), [])
  const [mail, ...others] = await digestsAt('2030-01-03T06:00:00Z')
  assert.deepEqual(others, [])
  assert.deepEqual([mail?.to, mail?.subject], [alice.email, 'New answers to your meetings: 2'])
  assert.match(mail?.text ?? '', /^Review: carol\.\d+@example\.org: Maybe$/m)
  assert.match(mail?.text ?? '', /\n {2}bob\.\d+@example\.org: No \(Tuesday,? 8 January 2030(?:,| at) 09:00\)\n/)
  assert.doesNotMatch(mail?.text ?? '', /Yes/, 'from before it was switched on')
  assert.deepEqual(await listedAt('2030-01-03T06:00:59Z'), [])
  assert.deepEqual(await listedAt('2030-01-04T06:00:00Z'), [])
  await goTo('2030-01-04T12:00:00Z')
  await respond(bob, meeting, 'declined')
  await respond(bob, meeting, 'accepted')
  assert.deepEqual(await listedAt('2030-01-05T06:00:00Z'), one, 'the last answer of each guest')
  await switchTo(alice, false)
})

test('comes at seven in the zone of the host, on the days of a clock change as well', async () => {
  const { alice, bob, one, invite } = await meetHost()
  await goTo('2030-03-29T12:00:00Z')
  await switchTo(alice, true, { timeZone: 'Europe/Berlin' })
  const start = { startTime: '2030-12-01T09:00:00Z', endTime: '2030-12-01T09:30:00Z' }
  const { meeting } = await invite(standUp(start))
  const answers = ['accepted', 'declined'] as const
  let count = 0
  const respondAt = async (time: string) => {
    await goTo(time)
    await respond(bob, meeting, answers[count++ % 2] ?? 'accepted')
  }
  assert.deepEqual(await listedAt('2030-03-29T12:01:00Z'), [])
  await respondAt('2030-03-29T13:00:00Z')
  assert.deepEqual(await listedAt('2030-03-30T05:59:59Z'), [])
  assert.deepEqual(await listedAt('2030-03-30T06:00:00Z'), one)
  await respondAt('2030-03-30T13:00:00Z')
  assert.deepEqual(await listedAt('2030-03-31T04:59:59Z'), [])
  assert.deepEqual(await listedAt('2030-03-31T05:00:00Z'), one, 'the clock was put forward')
  assert.deepEqual(await listedAt('2030-03-31T06:00:00Z'), [])
  await respondAt('2030-10-26T13:00:00Z')
  assert.deepEqual(await listedAt('2030-10-27T05:00:00Z'), one, 'of days that were missed')
  await respondAt('2030-10-27T05:30:00Z')
  assert.deepEqual(await listedAt('2030-10-27T06:00:00Z'), one, 'the clock was put back')
  await switchTo(alice, true, { timeZone: 'Asia/Kolkata' })
  await respondAt('2030-10-27T12:00:00Z')
  assert.deepEqual(await listedAt('2030-10-28T01:29:59Z'), [])
  assert.deepEqual(await listedAt('2030-10-28T01:30:00Z'), one, 'in the new zone')
  await switchTo(alice, false)
})

test('two instances and a job that dies send it once', async () => {
  const { alice, bob, invite } = await meetHost()
  await goTo('2031-01-01T12:00:00Z')
  await switchTo(alice, true, { timeZone: 'UTC' })
  const start = { startTime: '2031-02-03T09:00:00Z', endTime: '2031-02-03T09:30:00Z' }
  const { meeting } = await invite(standUp(start))
  assert.deepEqual(await listedAt('2031-01-01T12:01:00Z'), [])
  await goTo('2031-01-01T12:02:00Z')
  await respond(bob, meeting, 'accepted')
  await goTo('2031-01-02T07:00:00Z')
  const dying = createDigestTask({ ...app, clock, config: { ...app.config, baseUrl: 'not an address:' } })
  await app.pool.query(
    `alter table answer_digest add constraint broken
     check (reported_until < '2031-01-02' or account_id <> '${alice.profile._id}')`,
  )
  await assert.rejects(runTask(dying))
  await app.pool.query('alter table answer_digest drop constraint broken')
  const task = createDigestTask({ ...app, clock })
  await Promise.all([runTask(task), runTask(task), runTask(task)])
  assert.deepEqual(
    (await app.mails()).map(({ subject, text }) => [subject, text.includes('not an address')]),
    [['New answers to your meetings: 1', false]],
  )
  await switchTo(alice, false)
})

test('has comments and proposals, in the language of the host, and of their own meetings only', async () => {
  const { alice, invite } = await meetHost()
  await goTo('2032-01-01T12:00:00Z')
  await switchTo(alice, true, { timeZone: 'UTC', language: 'de' })
  await switchTo(olga, true, { timeZone: 'UTC' })
  const start = { startTime: '2032-02-02T09:00:00Z', endTime: '2032-02-02T09:30:00Z' }
  const { replyFields } = await invite(standUp({ ...start, topic: '<b>Bold</b>' }))
  assert.deepEqual(await listedAt('2032-01-01T12:01:00Z'), [])
  await goTo('2032-01-01T12:02:00Z')
  const stamp = '20320101T120200Z'
  const lines = ['COMMENT:Late\\n<i>maybe</i>']
  assert.equal(await receive(googleReply({ ...replyFields, stamp, lines, partstat: 'TENTATIVE' })), 'recorded')
  const counter = {
    ...replyFields,
    stamp,
    method: 'COUNTER',
    partstat: 'NEEDS-ACTION',
    start: 'DTSTART:20320202T140000Z',
  }
  assert.equal(await receive(googleReply(counter)), 'proposed')
  const mails = await digestsAt('2032-01-02T07:00:00Z')
  assert.deepEqual(
    mails.map(({ to, subject }) => `${to} ${subject}`),
    [`${alice.email} Neue Antworten zu Ihren Besprechungen: 2`],
  )
  const [mail] = mails
  assert.match(mail?.text ?? '', /bob\.\d+@example\.org: Vielleicht – Late <i>maybe<\/i>/)
  assert.match(mail?.text ?? '', /bob\.\d+@example\.org schlägt eine andere Zeit vor: .*2\. Februar 2032.*14:00/)
  assert.match(mail?.html ?? '', /&lt;i&gt;maybe/)
  assert.doesNotMatch(mail?.html ?? '', /<b>Bold|<i>maybe/)
  assert.match(mail?.headers?.['List-Unsubscribe'] ?? '', /^<http:\/\/parley\.test\/digest\/[0-9a-f-]{36}\/[\w-]{24}>$/)
  await switchTo(alice, false)
  await switchTo(olga, false)
})

test('has the answer to a date that a split has moved to another meeting since', async () => {
  const { alice, bob, carol, invite } = await meetHost()
  await goTo('2032-06-02T12:00:00Z')
  await switchTo(alice, true, { timeZone: 'UTC' })
  const start = { startTime: '2032-06-02T09:00:00Z', endTime: '2032-06-02T09:30:00Z' }
  const repeatOptions = { repeat: 'weekly', daysOfWeek: [0, 1, 1, 1, 1, 1, 0], timeZone: 'GMT' }
  const { meeting } = await invite(standUp({ ...start, repeatOptions, topic: 'Daily' }), [bob.email, carol.email])
  assert.deepEqual(await listedAt('2032-06-02T12:01:00Z'), [])
  await goTo('2032-06-02T12:02:00Z')
  await respond(bob, meeting, 'declined', '2032-06-07T09:00:00Z')
  const split = { occurrence: '2032-06-04T09:00:00Z', topic: 'Daily, continued' }
  const continued = await alice.send('POST', `${detailsPath(meeting)}/split?sendUpdates=none`, split)
  assert.equal(continued.status, 200, JSON.stringify(continued.body))
  const [mail, ...others] = await digestsAt('2032-06-03T07:00:00Z')
  assert.deepEqual(others, [])
  assert.match(
    mail?.text ?? '',
    /^Daily, continued: bob\.\d+@example\.org: No \(Monday,? 7 June 2032(?:,| at) 09:00\)$/m,
  )
  assert.deepEqual(await listedAt('2032-06-04T07:00:00Z'), [])
  await switchTo(alice, false)
})

test('has the answer to a series once, also when a split leaves it with past dates only', async () => {
  const { alice, bob, carol, one, invite } = await meetHost()
  await goTo('2032-06-07T12:00:00Z')
  await switchTo(alice, true, { timeZone: 'UTC' })
  const start = { startTime: '2032-06-07T09:00:00Z', endTime: '2032-06-07T09:30:00Z' }
  const repeatOptions = { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0], timeZone: 'GMT' }
  const { meeting } = await invite(standUp({ ...start, repeatOptions, topic: 'Weekly' }), [bob.email, carol.email])
  assert.deepEqual(await listedAt('2032-06-07T12:01:00Z'), [])
  assert.deepEqual(await listedAt('2032-06-10T07:00:00Z'), [])
  const splitAt = async (of: { _id: string }, occurrence: string) => {
    const reply = await alice.send('POST', `${detailsPath(of)}/split?sendUpdates=none`, { occurrence })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body
  }
  await respond(bob, meeting, 'accepted')
  const second = await splitAt(meeting, '2032-06-14T09:00:00Z')
  await splitAt(second, '2032-06-28T09:00:00Z')
  assert.deepEqual(await listedAt('2032-06-11T07:00:00Z'), one)
  await switchTo(alice, false)
})

test('an account that is disabled gets none', async () => {
  const { alice, bob, invite } = await meetHost()
  await goTo('2033-01-01T12:00:00Z')
  await switchTo(alice, true, { timeZone: 'UTC' })
  const start = { startTime: '2033-02-02T09:00:00Z', endTime: '2033-02-02T09:30:00Z' }
  const { meeting } = await invite(standUp(start))
  assert.deepEqual(await listedAt('2033-01-01T12:01:00Z'), [])
  await goTo('2033-01-01T12:02:00Z')
  await respond(bob, meeting, 'accepted')
  const disable = (disabled: boolean) => olga.send('PUT', `/api/admin/accounts/${alice.profile._id}`, { disabled })
  assert.equal((await disable(true)).status, 200)
  assert.deepEqual(await listedAt('2033-01-02T07:00:00Z'), [])
  const rows = app.database.selectFrom('answerDigest').selectAll().where('accountId', '=', alice.profile._id)
  assert.deepEqual(await rows.execute(), [])
})

const linkOf = ({ profile, email }: Person) => {
  const token = guestToken(app.encryption, 'answer digest link', { subjectId: profile._id, addressKey: email })
  return `/digest/${profile._id}/${token}`
}
const look = (path: string, headers: Record<string, string> = {}) => fetch(`${app.base}${path}`, { headers })
const press = (path: string, body = '') =>
  fetch(`${app.base}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  })
const isOn = async (person: Person) => (await person.send('GET', '/api/my_profile')).body.answerDigest
const switchOn = (person: Person) => person.send('PUT', '/api/my_profile', { answerDigest: true })

test('opening the link of a digest changes nothing; its button switches the digest off, and on again', async () => {
  const [alice] = await meet('Alice')
  await switchOn(alice)
  const link = linkOf(alice)
  const page = await look(link)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /Stop sending the daily summary of answers to .*alice\.\d+@example\.org/)
  assert.equal(await isOn(alice), true)
  const stopped = await press(link)
  assert.equal(stopped.status, 200, 'mail programs follow no redirect')
  assert.match(await stopped.text(), /won’t get the daily summary/)
  assert.equal(await isOn(alice), false)
  assert.equal((await press(`${link}/resume`)).status, 200)
  assert.equal(await isOn(alice), true)
  assert.equal((await alice.send('GET', '/api/my_profile')).body.videoPreview, true, 'other settings stay')
})

test('the link takes the one-click request of a mail program (RFC 8058)', async () => {
  const [alice] = await meet('Alice')
  await switchOn(alice)
  assert.equal((await press(linkOf(alice), 'List-Unsubscribe=One-Click')).status, 200)
  assert.equal(await isOn(alice), false)
})

test('a link is of one account, and of nothing else', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  await switchOn(alice)
  await switchOn(bob)
  const link = linkOf(alice)
  const wrong = [
    link.replace(alice.profile._id, bob.profile._id),
    link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    '/digest/x/y',
    `/digest/${alice.profile._id}/%00`,
    link.replace('/digest/', '/reminders/'),
  ]
  for (const path of wrong) {
    assert.equal((await look(path)).status, 404, path)
    assert.equal((await press(path)).status, 404, path)
  }
  assert.deepEqual([await isOn(alice), await isOn(bob)], [true, true])
  assert.equal((await fetch(`${app.base}${link}`, { method: 'PUT' })).status, 405)
})

test('shows the page of the digest in the language of the host', async () => {
  const [alice] = await meet('Alice')
  await alice.send('PUT', '/api/my_profile', { language: 'ar' })
  assert.match(await (await look(linkOf(alice))).text(), /<html lang="ar" dir="rtl">/)
  assert.match(await (await look('/digest/x/y', { 'accept-language': 'hi' })).text(), /<html lang="hi">/)
})
