import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assistantApp, assistantToken, connectAssistant } from '../../test/mcp/assistant.ts'
import { cancelPath, meetPeople, schedule, standUp } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp({ emails: 'dropped', environment: { RATE_LIMITS: 'off' } })
const { olga, alice, bob, mallory } = await meetPeople(app)
const registered = await assistantApp(app, olga)
const connect = async (person: typeof alice) =>
  connectAssistant(app, await assistantToken(app, registered, person, { scopes: ['meeting:read'] }))

test('the host and the guests get the link with the PIN, and no key of the host', async () => {
  const meeting = await schedule(alice)
  for (const person of [alice, bob]) {
    const { result, sentence } = await (await connect(person)).call('join_link', { meetingId: meeting._id })
    assert.deepEqual(result, {
      meetingId: meeting._id,
      topic: { text: 'Stand-up', writtenBy: person === alice ? 'you' : 'others' },
      url: meeting.meetingUrl,
      number: meeting.svcMeetId,
    })
    assert.ok(sentence.endsWith(` at ${meeting.meetingUrl}`), sentence)
    assert.match(result.url, new RegExp(`/j/${meeting.svcMeetId}#pin=${meeting.pin}$`))
  }
})

test('there is none for strangers, nor to a cancelled meeting', async () => {
  const meeting = await schedule(alice, standUp({ topic: 'Off' }))
  const { _id: meetingId } = meeting
  assert.match(await (await connect(mallory)).refused('join_link', { meetingId }), /meeting_not_found/)
  await alice.send('POST', cancelPath(meeting), { cancel: 'all' })
  assert.match(await (await connect(alice)).refused('join_link', { meetingId }), /“Off” is cancelled/)
})
