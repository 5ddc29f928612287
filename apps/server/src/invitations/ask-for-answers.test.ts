import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gatheringMs, minAskIntervalMs } from '@parley/rules/invitations/mail-limits'
import { cancelPath, detailsPath, type Person, schedule, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'

const { app, clock, meet } = await useApp({ start: '2030-01-01T12:00:00Z' })

/** Alice invites Bob, Carol and Dan, who are mailed; Bob accepts. */
async function meetGuests() {
  const [alice, bob, carol, dan] = await meet('Alice', 'Bob', 'Carol', 'Dan')
  const february = { startTime: '2030-02-07T09:00:00Z', endTime: '2030-02-07T09:30:00Z' }
  const meeting = await schedule(
    alice,
    standUp({ ...february, participants: [bob.email, carol.email], cohosts: [dan.email] }),
  )
  assert.equal((await app.mails()).length, 3)
  await expectOk(bob.send('POST', `${detailsPath(meeting)}/response`, { response: 'accepted' }))
  const ask = (host: Person = alice) => host.send('POST', `${detailsPath(meeting)}/answers/request`)
  return { alice, bob, carol, dan, meeting, ask }
}

/** Without the date, which follows the topic. */
const subjectsTo = async () =>
  (await app.mails()).map(({ to, subject }) => `${to} ${subject.split(' · ')[0]}`).toSorted()

test('mails those who have not answered, with the current meeting, and shows when', async () => {
  const { alice, bob, carol, dan, meeting, ask } = await meetGuests()
  clock.advance(gatheringMs)
  const asked = [carol.email, dan.email].toSorted()
  assert.deepEqual(await expectOk(ask()), { asked })
  const mails = await app.mails()
  assert.deepEqual(mails.map(({ to }) => to).toSorted(), asked)
  for (const { subject, text, calendar } of mails) {
    assert.match(subject, /^Please answer: Stand-up · /)
    assert.match(text, /asks whether you are coming/)
    assert.match(text, /Are you coming\?/)
    assert.match(calendar?.text ?? '', /METHOD:REQUEST[\s\S]*SEQUENCE:0/)
  }
  const [read] = await expectOk(alice.send('GET', detailsPath(meeting)))
  assert.equal(read.__v, 0)
  const askedOn = new Map(
    [...read.participants, ...read.cohostDetails].map((one: Record<string, string>) => [one.email, one.askedOn]),
  )
  assert.equal(askedOn.get(carol.email), clock.now().toISOString())
  assert.equal(askedOn.get(dan.email), clock.now().toISOString())
  assert.equal(askedOn.get(bob.email), undefined)
  const [seen] = await expectOk(carol.send('GET', detailsPath(meeting)))
  assert.equal(
    seen.participants.some((one: object) => 'askedOn' in one),
    false,
  )
})

test('asks no guest twice within a day, none within two minutes of another mail, and none who answers before the mail leaves', async () => {
  const { carol, dan, meeting, ask } = await meetGuests()
  assert.deepEqual(await expectOk(ask()), { asked: [] })
  clock.advance(gatheringMs)
  const [first, second] = await Promise.all([ask(), ask()])
  assert.deepEqual([(await expectOk(first)).asked.length, (await expectOk(second)).asked.length].toSorted(), [0, 2])
  assert.equal((await app.mails()).length, 2)
  clock.advance(minAskIntervalMs - 1)
  assert.deepEqual(await expectOk(ask()), { asked: [] })
  clock.advance(1)
  assert.deepEqual(await expectOk(ask()), { asked: [carol.email, dan.email].toSorted() })
  await expectOk(dan.send('POST', `${detailsPath(meeting)}/response`, { response: 'declined' }))
  assert.deepEqual(await subjectsTo(), [`${carol.email} Please answer: Stand-up`])
})

test('a change that waits is mailed in place of the question', async () => {
  const { alice, bob, carol, dan, meeting, ask } = await meetGuests()
  const changed = standUp({ topic: 'Walk', participants: [bob.email, carol.email], cohosts: [dan.email] })
  clock.advance(gatheringMs)
  await expectOk(alice.send('PUT', detailsPath(meeting), changed))
  assert.deepEqual(await expectOk(ask()), { asked: [] })
  assert.equal((await subjectsTo()).filter((line) => line.endsWith('Changed: Walk')).length, 3)
})

test('only hosts and cohosts ask, while a date is left', async () => {
  const { alice, bob, dan, meeting, ask } = await meetGuests()
  await expectProblem(ask(bob), 'forbidden')
  clock.advance(gatheringMs)
  assert.equal((await expectOk(ask(dan))).asked.length, 2)
  assert.equal((await app.mails()).length, 2)
  await expectOk(alice.send('POST', `${cancelPath(meeting)}?sendUpdates=none`, { cancel: 'all' }))
  await expectProblem(ask(), 'meeting_cancelled')
  const past = { startTime: '2029-12-01T09:00:00Z', endTime: '2029-12-01T09:30:00Z' }
  const over = await schedule(alice, standUp({ ...past, participants: [bob.email] }))
  await expectProblem(alice.send('POST', `${detailsPath(over)}/answers/request`), 'meeting_over')
})
