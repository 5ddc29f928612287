import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useAssistant } from '../../test/mcp/assistant.ts'
import { detailsPath, type Person, schedule, weekdays } from '../../test/people.ts'

const { connect, meet } = await useAssistant({
  start: '2027-03-28T12:30:00Z',
  emails: 'dropped',
  environment: { TZ_ALIASES: 'KIWI=Pacific/Auckland' },
})

test('says who Alice is, and which day it is in her zone', async () => {
  const [alice] = await meet('Alice')
  await alice.send('PUT', '/api/my_profile', { timeZone: 'KIWI' })
  const assistant = await connect(alice)
  const { result, sentence } = await assistant.call('who_am_i')
  assert.deepEqual(result, {
    name: 'Alice Test',
    timeZone: 'Pacific/Auckland',
    now: {
      weekday: 'Monday',
      local: '2027-03-29T01:30',
      timeZone: 'Pacific/Auckland',
      offset: '+13:00',
      utc: '2027-03-28T12:30:00.000Z',
    },
  })
  assert.equal(sentence, 'You act for Alice Test; it is Monday, 2027-03-29 01:30 (Pacific/Auckland).')
})

test('says that Bob has set no zone, and gives the time in UTC', async () => {
  const [bob] = await meet('Bob')
  const assistant = await connect(bob)
  const { result, sentence } = await assistant.call('who_am_i')
  assert.equal(result.timeZone, null)
  assert.equal(result.now.local, '2027-03-28T12:30')
  assert.match(sentence, /Sunday, 2027-03-28 12:30 \(UTC; the person has set no time zone\)/)
})

test('a client of the revisions of 2025 is answered the same', async () => {
  const [alice] = await meet('Alice')
  await alice.send('PUT', '/api/my_profile', { timeZone: 'KIWI' })
  const assistant = await connect(alice, { era: 'legacy' })
  assert.equal((await assistant.done('who_am_i')).timeZone, 'Pacific/Auckland')
})

test('refuses arguments that do not exist', async () => {
  const [alice] = await meet('Alice')
  const assistant = await connect(alice)
  assert.match(await assistant.refused('who_am_i', { timeZone: 'Asia/Tokyo' }), /who_am_i/)
})

const answerSeenBy = async (alice: Person, meeting: { _id: string }) =>
  (await alice.send('GET', detailsPath(meeting))).body[0].participants[0].response

test('Bob accepts, changes his mind, and declines one date; the host sees all of it', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const meeting = await schedule(alice, weekdays({ participants: [bob.email] }))
  const { _id: meetingId } = meeting
  const assistant = await connect(bob)
  const accepted = await assistant.call('respond_to_invitation', { meetingId, response: 'accepted', occurrence: 'all' })
  assert.deepEqual(accepted.result, { meetingId, response: 'accepted' })
  assert.equal(
    accepted.sentence,
    'The answer is recorded: accepted, for all dates that have no answer of their own. No one is mailed.',
  )
  assert.equal(await answerSeenBy(alice, meeting), 'accepted')
  await assistant.done('respond_to_invitation', { meetingId, response: 'tentative', occurrence: 'all' })
  assert.equal(await answerSeenBy(alice, meeting), 'tentative')

  const originalStart = '2030-01-09T09:00:00.000Z'
  const one = { meetingId, response: 'declined', occurrence: 'one', originalStart }
  assert.deepEqual(await assistant.done('respond_to_invitation', one), {
    meetingId,
    response: 'declined',
    originalStart,
  })
  const { body } = await alice.send('GET', `${detailsPath(meeting)}?occurrences=3`)
  const { responses } = body[0].occurrences.find((date: { startTime: string }) => date.startTime === originalStart)
  assert.deepEqual(responses, [{ email: bob.email, response: 'declined' }])
})

test('which dates are meant is never guessed', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const { _id: meetingId } = await schedule(alice, weekdays({ participants: [bob.email] }))
  const assistant = await connect(bob)
  const answer = { meetingId, response: 'accepted' }
  assert.match(await assistant.refused('respond_to_invitation', answer), /occurrence is missing/)
  assert.match(
    await assistant.refused('respond_to_invitation', { ...answer, occurrence: 'one' }),
    /ask which date is meant/,
  )
  const both = { ...answer, occurrence: 'all', originalStart: '2030-01-09T09:00:00Z' }
  assert.match(await assistant.refused('respond_to_invitation', both), /^originalStart belongs to occurrence/)
  const unknown = { ...answer, occurrence: 'one', originalStart: '2030-01-12T09:00:00Z' }
  assert.match(await assistant.refused('respond_to_invitation', unknown), /occurrence_not_found/)
})
