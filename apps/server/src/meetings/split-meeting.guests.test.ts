import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subjectOf } from '../../test/mailbox.ts'
import { type Meeting, startSplits } from '../../test/meetings/start-splits.ts'
import { detailsPath, meetPeople, schedule } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'

const { app, clock, alice, bob, carol, mondays, split, splitUp, read, quiet } = await startSplits()

test('answers stay where no date is moved, and guests are asked again where one is', async () => {
  const [meeting, moved] = [await quiet(), await quiet()]
  for (const one of [meeting, moved]) {
    await bob.send('POST', `${detailsPath(one)}/response`, { response: 'accepted' })
  }
  const answerIn = async (one: Meeting) => (await read(one)).participants[0].response
  const same = await splitUp(meeting, { topic: 'Review' })
  assert.deepEqual([await answerIn(meeting), await answerIn(same)], ['accepted', 'accepted'])
  const later = await splitUp(moved, { startTime: '2030-01-21T15:00:00Z' })
  assert.deepEqual([await answerIn(moved), await answerIn(later)], ['accepted', undefined])
})

test('answers to single dates stay with the part that has the date, unless it is moved', async () => {
  const [meeting, moved] = [await quiet(), await quiet()]
  for (const one of [meeting, moved]) {
    const respond = (response: string, occurrence: string) =>
      bob.send('POST', `${detailsPath(one)}/response`, { response, occurrence })
    await expectOk(respond('declined', '2030-01-14T09:00:00Z'))
    await expectOk(respond('tentative', '2030-01-28T09:00:00Z'))
  }
  const answersIn = async (one: Meeting) => {
    const { body } = await bob.send('GET', `${detailsPath(one)}/occurrences?limit=3`)
    return body.occurrences.map(({ response = '' }: { response?: string }) => response)
  }
  const same = await splitUp(meeting, { topic: 'Review' })
  assert.deepEqual(
    [await answersIn(meeting), await answersIn(same)],
    [
      ['', 'declined'],
      ['', 'tentative', ''],
    ],
  )
  const later = await splitUp(moved, { startTime: '2030-01-21T15:00:00Z' })
  assert.deepEqual(
    [await answersIn(moved), await answersIn(later)],
    [
      ['', 'declined'],
      ['', '', ''],
    ],
  )
  const without = await splitUp(same, { occurrence: '2030-01-28T09:00:00Z', participants: [carol.email] })
  assert.equal((await read(without)).participants[0].response, undefined)
})

test('who has stopped the reminders of the series gets none of its continuation', async () => {
  const meeting = await quiet()
  await app.database
    .insertInto('stoppedReminder')
    .values({ meetingId: meeting._id, emailKey: bob.email, stoppedAt: clock.now() })
    .execute()
  const next = await splitUp(meeting)
  const rows = await app.database
    .selectFrom('stoppedReminder')
    .select('emailKey')
    .where('meetingId', '=', next._id)
    .execute()
  assert.deepEqual(rows, [{ emailKey: bob.email }])
  const reminders = await app.database
    .selectFrom('meetingReminder')
    .select(['meetingId', 'occurrence'])
    .where('meetingId', 'in', [meeting._id, next._id])
    .orderBy('occurrence')
    .execute()
  assert.deepEqual(
    reminders.map(({ meetingId, occurrence }) => [meetingId, occurrence.toISOString().slice(5, 10)]),
    [
      [meeting._id, '01-07'],
      [next._id, '01-21'],
    ],
  )
})

test('sendUpdates=none mails no one, and people who are no longer invited are not asked', async () => {
  const [meeting, other] = [
    await schedule(alice, mondays()),
    await schedule(alice, mondays({ participants: [bob.email] })),
  ]
  await app.mails()
  clock.advance(3 * 60_000)
  await splitUp(meeting)
  assert.deepEqual(await app.mails(), [])
  await expectOk(split(other, { participants: [carol.email] }))
  const mails = await app.mails()
  assert.deepEqual(mails.map((mail) => `${mail.to} ${subjectOf(mail)}`).toSorted(), [
    `${bob.email} Changed: Stand-up`,
    `${carol.email} Invitation: Stand-up`,
  ])
})

test('both mails count as invitations of the day', async () => {
  const limited = await startApp({ clock, emails: 'dropped' })
  const people = await meetPeople(limited)
  const guests = ['one', 'two', 'three', 'four'].map((name) => `${name}@elsewhere.example`)
  const meeting = await schedule(people.alice, mondays({ participants: guests }))
  // Of 200 on the first day; a split mails each of four guests twice.
  const spend = (mails: number) =>
    limited.pool.query(
      `insert into guest_mail (id, email_key, meeting_id, kind, sequence, state_sequence, sender_id, started_at, outcome)
      select gen_random_uuid(), 'guest' || n, $1, 'invitation', 0, 0, $2, $3, 'sent' from generate_series(1, $4::integer) as n`,
      [meeting._id, people.alice.profile._id, clock.now(), mails],
    )
  await limited.pool.query('update guest_delivery set pending = false, held_sequence = 0')
  await spend(193)
  await expectProblem(split(meeting, {}, { person: people.alice }), 'too_many_invitations')
  const { body } = await people.alice.send('GET', detailsPath(meeting))
  assert.deepEqual([body[0].__v, body[0].continuedBy], [0, null])
  await expectOk(split(meeting, { participants: guests.slice(0, 3) }, { person: people.alice }))
})
