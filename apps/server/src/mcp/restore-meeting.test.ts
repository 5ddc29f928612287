import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useAssistant } from '../../test/mcp/assistant.ts'
import { schedule, standUp } from '../../test/people.ts'

const { app, connect, meetHost } = await useAssistant({ start: '2027-03-20T08:00:00Z' })
const mailed = async () => (await app.mails()).map(({ to }) => to).toSorted()
const third = '2027-04-05T07:00:00.000Z'

/** Four Mondays of Alice with Bob and Carol, all ahead. */
async function meetForReview(changes: (people: { bob: { email: string } }) => object = () => ({})) {
  const { alice, ofAlice, bob, carol } = await meetHost()
  const everyone = [bob.email, carol.email]
  const { _id: meetingId } = await schedule(
    alice,
    standUp({
      topic: 'Review',
      startTime: '2027-03-22T09:00:00+01:00',
      endTime: '2027-03-22T09:45:00+01:00',
      participants: everyone,
      repeatOptions: { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0], count: 4, timeZone: 'Europe/Berlin' },
      ...changes({ bob }),
    }),
  )
  await app.mails()
  const cancel = async (more: object) => {
    await ofAlice.done('cancel_meeting', { meetingId, ...more })
    await app.mails()
  }
  return { alice, ofAlice, bob, everyone, meetingId, cancel }
}

test('restores a whole series with its link and guests, and says who is mailed', async () => {
  const { ofAlice, everyone, meetingId, cancel } = await meetForReview()
  await cancel({ occurrence: 'all' })
  const { sentence, result } = await ofAlice.call('restore_meeting', { meetingId })
  assert.equal(
    sentence,
    'Restored “Review” with its dates ahead. Those who were mailed the cancellation are mailed that it takes place again.',
  )
  assert.deepEqual([result.changed, result.status, result.dates.length], [true, 'active', 4])
  assert.deepEqual(await mailed(), everyone)

  const again = await ofAlice.call('restore_meeting', { meetingId })
  assert.deepEqual([again.result.changed, again.sentence], [false, '“Review” was not cancelled. No one is mailed.'])
  assert.deepEqual(await mailed(), [])
})

test('restores one date of a series, quietly where the person wants that', async () => {
  const { ofAlice, meetingId, cancel } = await meetForReview()
  await cancel({ occurrence: 'one', originalStart: third })
  const restore = { meetingId, originalStart: third, mailParticipants: false }
  const { sentence, result } = await ofAlice.call('restore_meeting', restore)
  assert.equal(
    sentence,
    'Restored “Review” only on Monday, 5 April 2027, 09:00–09:45 (Europe/Berlin, +02:00). No one is mailed.',
  )
  assert.deepEqual([result.changed, result.dates.length], [true, 4])
  assert.deepEqual(await mailed(), [])
  const never = { meetingId, originalStart: '2027-03-30T07:00:00Z' }
  assert.match(await ofAlice.refused('restore_meeting', never), /names no cancelled date of this meeting/)
})

test('only the host restores through an assistant, not a cohost', async () => {
  const { bob, meetingId, cancel } = await meetForReview(({ bob }) => ({ cohosts: [bob.email] }))
  await cancel({ occurrence: 'all' })
  const ofBob = await connect(bob)
  assert.match(await ofBob.refused('restore_meeting', { meetingId }), /not do what you asked for/)
  assert.deepEqual(await mailed(), [])
})

test('asks the person first where the client can, and does what they answer', async () => {
  const { alice, everyone, meetingId, cancel } = await meetForReview()
  await cancel({ occurrence: 'all' })
  const questions: string[] = []
  let answer: 'yes' | 'no' = 'no'
  const asking = await connect(alice, {
    confirm(question) {
      questions.push(question)
      return answer
    },
  })
  assert.match(await asking.refused('restore_meeting', { meetingId }), /does not want to restore it/)
  assert.deepEqual(await mailed(), [])
  answer = 'yes'
  assert.equal((await asking.done('restore_meeting', { meetingId })).status, 'active')
  assert.deepEqual(
    new Set(questions),
    new Set([
      'Restore “Review” with its dates ahead? Those who were mailed the cancellation will be mailed that it takes place again.',
    ]),
  )
  assert.deepEqual(await mailed(), everyone)
})
