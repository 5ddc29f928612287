import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxMailsADay, maxMailsOnFirstDay } from '@parley/rules/invitations/mail-limits'
import { cancelPath, detailsPath, type Person, schedule, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { runTask } from '../../test/run-task.ts'
import { useApp } from '../../test/use-app.ts'
import { serviceActorFor } from '../access/caller.ts'
import { createRemindTask } from '../invitations/guest-reminders.ts'
import { inTransaction } from '../platform/database/database.ts'
import { createLog } from '../platform/log.ts'
import { queueMails } from './guest-mail-queue.ts'

const dayMs = 24 * 60 * 60 * 1000
const { app, clock, olga, meet } = await useApp({ emails: 'dropped', start: '2030-01-01T12:00:00Z' })

const guests = (count: number, name = 'guest') =>
  Array.from({ length: count }, (_, index) => `${name}${index}@elsewhere.example`)
const inviteAll = (count: number, host: Person) =>
  host.send('POST', '/api/meeting', standUp({ participants: guests(count) }))

test('gives an account fewer invitations on its first day, unless it administers the service', async () => {
  const [carol] = await meet('Carol')
  await expectOk(inviteAll(maxMailsOnFirstDay - 1, carol))
  const refused = await expectProblem(inviteAll(2, carol), 'too_many_invitations')
  assert.match(refused.detail, /would mail 2 invitations; of 200 within 24 hours you have 1 left/)
  await expectOk(inviteAll(1, carol))
  await expectProblem(inviteAll(1, carol), 'too_many_invitations')
  await expectOk(inviteAll(maxMailsOnFirstDay + 1, olga))
  clock.advance(dayMs)
  await expectOk(inviteAll(maxMailsOnFirstDay + 1, carol))
})

test('enforces the daily number of invitations, and refuses a request beyond it as a whole', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  // The first day has a limit of its own.
  clock.advance(dayMs)
  for (let index = 0; index < maxMailsADay / 1000 - 1; index++) {
    await expectOk(inviteAll(1000, alice))
  }
  const meeting = await schedule(alice, standUp({ participants: guests(999) }))

  const refused = await inviteAll(2, alice)
  await expectProblem(refused, 'too_many_invitations')
  assert.equal(refused.body.errors[0].path, '/participants')
  assert.match(refused.body.detail, /would mail 2 invitations; of 5000 within 24 hours you have 1 left/)
  assert.equal(refused.headers.get('retry-after'), String(24 * 60 * 60))
  const two = { participants: [...guests(998), ...guests(2, 'late')], topic: 'Sit-down' }
  await expectProblem(alice.send('PUT', detailsPath(meeting), standUp(two)), 'too_many_invitations')
  assert.equal((await alice.send('GET', detailsPath(meeting))).body[0].topic, 'Stand-up')

  // A waiting email is merged with that of the change.
  const renamed = { participants: guests(999), topic: 'Sit-down' }
  await expectOk(alice.send('PUT', detailsPath(meeting), standUp(renamed)))
  await expectOk(inviteAll(1, alice))
  await expectProblem(inviteAll(1, alice), 'too_many_invitations')
  await expectOk(inviteAll(0, alice))
  // People who are added without an email count as well.
  await expectProblem(
    alice.send('PUT', `${detailsPath(meeting)}?sendUpdates=none`, standUp(two)),
    'too_many_invitations',
  )
  await expectOk(alice.send('POST', cancelPath(meeting), { cancel: 'all' }))
  await expectOk(inviteAll(10, bob))

  clock.advance(dayMs - 1)
  await expectProblem(inviteAll(1, alice), 'too_many_invitations')
  clock.advance(1)
  await expectOk(inviteAll(1, alice))
})

test('counts sent invitations for a day, and every further email', async () => {
  const [dan] = await meet('Dan')
  const meeting = await schedule(dan, standUp({ participants: guests(3, 'sent') }))
  // As if all but three of his emails had been sent.
  await app.pool.query('update guest_delivery set pending = false, held_sequence = 0 where meeting_id = $1', [
    meeting._id,
  ])
  const sent = `insert into guest_mail (meeting_id, email_key, id, kind, sequence, state_sequence, sender_id, started_at, outcome)
    select $1, 'sent' || n || '@elsewhere.example', gen_random_uuid(), 'invitation', 0, 0, $2, $3, 'sent'
    from generate_series(1, $4::integer) as n`
  const values = [meeting._id, dan.profile._id, clock.now(), maxMailsOnFirstDay - 3]
  await app.pool.query(sent, values)
  const changed = (topic: string) => standUp({ participants: guests(3, 'sent'), topic })
  await expectOk(dan.send('PUT', detailsPath(meeting), changed('Sit-down')))
  await expectProblem(inviteAll(1, dan), 'too_many_invitations')
})

/** What counts for an account now, sent or queued. */
async function countOf({ profile }: Person): Promise<number> {
  const { rows } = await app.pool.query(
    `select (select count(*) from guest_delivery where sender_id = $1 and pending)
      + (select count(*) from guest_delivery where reminder_sender_id = $1 and reminder_for is not null) as mails`,
    [profile._id],
  )
  return Number(rows[0].mails)
}

/** As if the guests of these meetings had been mailed long ago. */
const markMailed = (ids: readonly string[]) =>
  app.pool.query(
    'update guest_delivery set pending = false, held_sequence = 0, last_mail_at = null where meeting_id = any ($1)',
    [ids],
  )

const inParallel = (count: number, act: (index: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)))

test('parallel requests and jobs never mail more than the limit, whatever they mail', async () => {
  const limit = maxMailsOnFirstDay
  const size = 150

  const [creator] = await meet('Creator')
  await inParallel(12, (index) =>
    creator.send('POST', '/api/meeting', standUp({ participants: guests(size, `c${index}`) })),
  )
  assert.equal(await countOf(creator), size)
  await inParallel(12, (index) =>
    creator.send('POST', '/api/meeting', standUp({ participants: guests(20, `d${index}`) })),
  )
  assert.equal(await countOf(creator), limit - 10)

  /** Meetings of one account with this many guests each, all of whom were mailed. */
  async function hosting(name: string, meetings: number, changes: object = {}) {
    const [host] = await meet(name)
    const made: { _id: string }[] = []
    for (let index = 0; index < meetings; index++) {
      const participants = guests(size, `${name.toLowerCase()}${index}x`)
      made.push(await schedule(host, standUp({ participants, ...changes })))
      await markMailed(made.map(({ _id }) => _id))
    }
    return { host, made, participantsOf: (index: number) => guests(size, `${name.toLowerCase()}${index}x`) }
  }

  const updater = await hosting('Updater', 6)
  await inParallel(6, (index) => {
    const changed = standUp({ topic: 'Sit-down', participants: updater.participantsOf(index) })
    return updater.host.send('PUT', detailsPath(updater.made[index] ?? { _id: '' }), changed)
  })
  assert.equal(await countOf(updater.host), size)

  const resender = await hosting('Resender', 1)
  await schedule(resender.host, standUp({ participants: guests(limit - 5, 'resent') }))
  await inParallel(20, (index) =>
    resender.host.send('POST', `${detailsPath(resender.made[0] ?? { _id: '' })}/invitation`, {
      email: resender.participantsOf(0)[index],
    }),
  )
  assert.equal(await countOf(resender.host), limit)

  const reminded = await hosting('Reminded', 6, { reminderMinutes: 1 })
  clock.set('2030-01-07T08:59:00Z')
  // The account is still new.
  await app.pool.query('update account set created_at = $1 where id = $2', [clock.now(), reminded.host.profile._id])
  const log = createLog({ level: 'silent' })
  await inParallel(6, () => runTask(createRemindTask({ database: app.database, clock, config: app.config, log })))
  assert.equal(await countOf(reminded.host), size)
  const { rows } = await app.pool.query(
    'select count(*)::integer as hosts from guest_delivery where email_key = $1 and reminder_for is not null',
    [reminded.host.email],
  )
  assert.equal(rows[0].hosts, 6, 'the host is reminded of each')
})

test('queues no mail in the name of an account that does not host the meeting', async () => {
  const [bob] = await meet('Bob')
  const meeting = await schedule(bob, standUp({ participants: [] }))
  const guests = [{ addressKey: 'x@elsewhere.example', email: 'x@elsewhere.example' }]
  const mails = { meetingId: meeting._id, guests, isRefusable: true, now: clock.now() }
  const queueIn = (hostId: string) =>
    inTransaction(app.database, (tx) => queueMails(tx, app, serviceActorFor({ id: hostId }), mails))
  await assert.rejects(queueIn(olga.profile._id), /in the name of the host/)
  await queueIn(bob.profile._id)
})

test('counts people who are invited without an email, also in parallel requests', async () => {
  const [erin] = await meet('Erin')
  const invite = (count: number, query = '?sendUpdates=none') =>
    erin.send('POST', `/api/meeting${query}`, standUp({ participants: guests(count, 'quiet') }))
  const replies = await Promise.all(Array.from({ length: 6 }, () => invite(maxMailsOnFirstDay / 4)))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 200, 200, 200, 429, 429])
  // Quiet and mailed invitations are one number.
  await expectProblem(invite(1, ''), 'too_many_invitations')
  await expectOk(invite(0))
  clock.advance(dayMs)
  await expectOk(invite(1))
})

test('counts people whom a change adds without an email, and no one whom it keeps', async () => {
  const [frank] = await meet('Frank')
  const meeting = await schedule(frank, standUp({ participants: guests(maxMailsOnFirstDay - 2, 'kept') }))
  const change = (added: number, topic: string) =>
    frank.send(
      'PUT',
      `${detailsPath(meeting)}?sendUpdates=none`,
      standUp({ topic, participants: [...guests(maxMailsOnFirstDay - 2, 'kept'), ...guests(added, 'added')] }),
    )
  await expectProblem(change(3, 'Three'), 'too_many_invitations')
  await expectOk(change(2, 'Two'))
  await expectOk(change(2, 'Kept'))
  await expectProblem(change(3, 'Three'), 'too_many_invitations')
})

test('counts people whom a change of a past meeting adds, who are not mailed', async () => {
  const [grace] = await meet('Grace')
  const yesterday = {
    startTime: new Date(clock.now().getTime() - dayMs).toISOString(),
    endTime: new Date(clock.now().getTime() - dayMs + 60_000).toISOString(),
  }
  const meeting = await schedule(grace, standUp({ ...yesterday, participants: [] }))
  const change = (added: number) =>
    grace.send('PUT', detailsPath(meeting), standUp({ ...yesterday, participants: guests(added, 'late') }))
  await expectProblem(change(maxMailsOnFirstDay + 1), 'too_many_invitations')
  await expectOk(change(maxMailsOnFirstDay))
})

test('counts people who are invited without an email by parallel requests one after the other', async () => {
  const [heidi] = await meet('Heidi')
  const invite = (_: unknown, index: number) => {
    const participants = guests(maxMailsOnFirstDay / 2 + 1, `parallel${index}x`)
    return heidi.send('POST', '/api/meeting?sendUpdates=none', standUp({ participants }))
  }
  const replies = await Promise.all(Array.from({ length: 6 }, invite))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 429, 429, 429, 429, 429])
})
