import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxMailsOnFirstDay } from '@parley/rules/invitations/mail-limits'
import { listed } from '../../test/mailbox.ts'
import { detailsPath, type Person, password, schedule, signUp, standUp, weekdays } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'
import { eraseAccountsJob, maxOfferMailsADay } from './erase-accounts.ts'

const { app, clock, olga } = await useApp({ start: '2030-01-01T12:00:00Z' })

const leave = async (person: Person) => {
  await expectOk(
    person.send('POST', '/api/my_profile/delete', {
      currentPassword: password,
      meetings: 'hand_over',
    }),
  )
}
const answer = (person: Person, { _id }: { _id: string }, said: string) =>
  person.send('POST', `/api/meeting/hand-overs/${_id}`, { answer: said })
const erase = () => app.taskList[eraseAccountsJob.name]?.({}, { job: { id: 1 } })
const strangers = (count: number) => Array.from({ length: count }, (_, index) => `stranger${index}@elsewhere.example`)

test('a cohost who accepts is the host: guests who had mail are mailed, for the account that left', async () => {
  const [carol, dora] = [await signUp(app, 'Carol'), await signUp(app, 'Dora')]
  const meeting = await schedule(carol, weekdays({ topic: 'Shared', cohosts: ['nobody@example.org', dora.email] }))
  await app.mails()
  const silent = weekdays({
    topic: 'Shared',
    participants: ['bob@example.org', 'silent@example.org'],
    cohosts: ['nobody@example.org', dora.email],
  })
  await expectOk(carol.send('PUT', `${detailsPath(meeting)}?sendUpdates=none`, silent))
  await leave(carol)
  await app.mails()

  await expectOk(answer(dora, meeting, 'accepted'))
  const mails = await app.mails()
  assert.deepEqual(listed(mails).toSorted(), [
    'Invitation: Shared REQUEST 2 to bob@example.org',
    'Invitation: Shared REQUEST 2 to nobody@example.org',
  ])
  const invitation = mails.find(({ to }) => to === 'bob@example.org')
  assert.match(JSON.stringify(invitation), /ORGANIZER;[^:]*CN=[^:]*Dora/)
  const { body } = await dora.send('GET', detailsPath(meeting))
  assert.deepEqual([body[0].svcMeetId, body[0].pin, body[0].hostInfo.name], [meeting.svcMeetId, meeting.pin, 'Dora'])
  const charged = await app.pool.query(
    'select distinct sender_id as id from guest_mail where meeting_id = $1 and started_at >= $2',
    [meeting._id, clock.now()],
  )
  assert.deepEqual(charged.rows, [{ id: carol.profile._id }])
  await expectProblem(answer(dora, meeting, 'accepted'), 'hand_over_not_found') // twice
  const { body: log } = await olga.send(
    'GET',
    `/api/admin/audit-log?action=meeting.handed-over&subject=${carol.profile._id}`,
  )
  assert.deepEqual(
    log.entries.map(({ actor, subject, detail }: Record<string, { _id?: string }>) => [
      actor?._id,
      subject?._id,
      detail,
    ]),
    [[dora.profile._id, carol.profile._id, { meetingId: meeting._id }]],
  )
  await erase()
  const row = await app.pool.query('select erased_at from account where id = $1', [carol.profile._id])
  assert.notEqual(row.rows[0].erased_at, null)
  await expectOk(dora.send('GET', detailsPath(meeting))) // stays when its former host is erased
})

test('the meeting is cancelled when every cohost has declined, and one of two accepts', async () => {
  const [host, first, second] = [await signUp(app, 'Hannah'), await signUp(app, 'Fay'), await signUp(app, 'Sam')]
  const cohosts = [first.email, second.email]
  const declined = await schedule(host, standUp({ topic: 'Declined', cohosts }))
  const contested = await schedule(host, standUp({ topic: 'Contested', cohosts }))
  await app.mails()
  await leave(host)
  await app.mails()
  await expectOk(answer(first, declined, 'declined'))
  assert.deepEqual(await app.mails(), [])
  await expectProblem(answer(first, declined, 'accepted'), 'hand_over_not_found')
  await expectOk(answer(second, declined, 'declined'))
  const cancelled = listed(await app.mails())
  assert.deepEqual(cancelled.toSorted(), [
    'Cancelled: Declined CANCEL 1 to bob@example.org',
    'Cancelled: Declined CANCEL 1 to fay@example.org',
    'Cancelled: Declined CANCEL 1 to sam@example.org',
  ])
  const answers = await Promise.all([answer(first, contested, 'accepted'), answer(second, contested, 'accepted')])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404])
  await app.mails()
})

test('refuses guests, other accounts, and meetings that are not offered', async () => {
  const [host, cohost, guest] = [await signUp(app, 'Henry'), await signUp(app, 'Cora'), await signUp(app, 'Gus')]
  const meeting = await schedule(host, standUp({ cohosts: [cohost.email], participants: [guest.email] }))
  await expectProblem(answer(cohost, meeting, 'accepted'), 'hand_over_not_found') // the host is here
  await leave(host)
  await app.mails()
  await expectProblem(answer(guest, meeting, 'accepted'), 'hand_over_not_found')
  await expectProblem(answer(cohost, { _id: 'x' }, 'accepted'), 'hand_over_not_found')
  await expectProblem(answer(cohost, meeting, 'maybe'), 'invalid_request')
})

test('a deleted account mails nothing in the name of a cohost, and leaves the limits of the cohost as they are', async () => {
  const [mallory, dan] = [await signUp(app, 'Mallory'), await signUp(app, 'Dan')]
  const trap = standUp({
    topic: 'Dan: urgent invoice',
    participants: strangers(maxMailsOnFirstDay - 2),
    cohosts: [dan.email],
  })
  const { body } = await mallory.send('POST', '/api/meeting?sendUpdates=none', trap)
  await leave(mallory)
  const mails = listed(await app.mails())
  assert.deepEqual(mails.toSorted(), [
    'You are offered to host meetings undefined undefined to dan@example.org',
    'Your account is deleted undefined undefined to mallory@example.org',
  ])
  // Dan accepts, and none of the strangers had mail.
  await expectOk(answer(dan, body.meetingDetails, 'accepted'))
  assert.deepEqual(await app.mails(), [])
  const own = standUp({ topic: 'Own', participants: strangers(maxMailsOnFirstDay) })
  await expectOk(dan.send('POST', '/api/meeting', own))
  await app.mails()
})

test('one account is mailed a few offers a day, and of each account that leaves once', async () => {
  const victim = await signUp(app, 'Victim')
  for (let index = 0; index <= maxOfferMailsADay; index++) {
    const host = await signUp(app, `Leaver${index}`)
    for (const topic of ['One', 'Two']) {
      await host.send(
        'POST',
        '/api/meeting?sendUpdates=none',
        standUp({ topic, participants: [], cohosts: [victim.email] }),
      )
    }
    await leave(host)
  }
  const offers = (await app.mails()).filter(({ to }) => to === victim.email)
  assert.equal(offers.length, maxOfferMailsADay)
  const { body } = await victim.send('GET', '/api/meeting/hand-overs')
  assert.equal(body.handOvers.length, 2 * (maxOfferMailsADay + 1))
})
