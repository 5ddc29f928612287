import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assistantApp, assistantToken, connectAssistant, postMcp, toolCall } from '../../test/mcp/assistant.ts'
import { detailsPath, meetPeople, schedule, standUp, weekdays } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const clock = createClock('2030-01-01T12:00:00Z')
const app = await startApp({ clock, emails: 'dropped', environment: { RATE_LIMITS: 'off' } })
const { olga, alice, bob, mallory } = await meetPeople(app)
const registered = await assistantApp(app, olga)
const connect = async (person: typeof alice) =>
  connectAssistant(app, await assistantToken(app, registered, person, { clock, scopes: ['meeting:join'] }))
const answerOf = async (meeting: { _id: string }) =>
  (await alice.send('GET', detailsPath(meeting))).body[0].participants[0].response

test('Bob accepts, changes his mind, and declines one date; the host sees all of it', async () => {
  const meeting = await schedule(alice, weekdays())
  const { _id: meetingId } = meeting
  const assistant = await connect(bob)
  const accepted = await assistant.call('respond_to_invitation', { meetingId, response: 'accepted', occurrence: 'all' })
  assert.deepEqual(accepted.result, { meetingId, response: 'accepted' })
  assert.equal(
    accepted.sentence,
    'The answer is recorded: accepted, for all dates that have no answer of their own. No one is mailed.',
  )
  assert.equal(await answerOf(meeting), 'accepted')
  await assistant.done('respond_to_invitation', { meetingId, response: 'tentative', occurrence: 'all' })
  assert.equal(await answerOf(meeting), 'tentative')

  const originalStart = '2030-01-09T09:00:00.000Z'
  const one = { meetingId, response: 'declined', occurrence: 'one', originalStart }
  assert.deepEqual(await assistant.done('respond_to_invitation', one), {
    meetingId,
    response: 'declined',
    originalStart,
  })
  const { body } = await alice.send('GET', `${detailsPath(meeting)}?occurrences=3`)
  const { responses } = body[0].occurrences.find((date: { startTime: string }) => date.startTime === originalStart)
  assert.deepEqual(responses, [{ email: 'bob@example.org', response: 'declined' }])
})

test('which dates are meant is never guessed', async () => {
  const { _id: meetingId } = await schedule(alice, weekdays())
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

test('only those who are invited answer, and only with the scope to join', async () => {
  const meeting = await schedule(alice, standUp())
  const answer = { meetingId: meeting._id, response: 'accepted', occurrence: 'all' }
  assert.match(await (await connect(mallory)).refused('respond_to_invitation', answer), /meeting_not_found/)
  assert.match(await (await connect(alice)).refused('respond_to_invitation', answer), /not_invited/)
  const token = await assistantToken(app, registered, bob, { clock, scopes: ['meeting:read', 'meeting:update'] })
  const refused = await postMcp(app, toolCall('respond_to_invitation', answer), { authorization: `Bearer ${token}` })
  assert.equal(refused.status, 403)
  assert.match(String(refused.headers.get('www-authenticate')), /scope="meeting:join"/)
  assert.equal(await answerOf(meeting), undefined)
})
