import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assistantApp, assistantToken, connectAssistant, postMcp, toolCall } from '../../test/mcp/assistant.ts'
import { detailsPath, meetPeople, schedule, standUp } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const clock = createClock('2027-03-01T08:00:00Z')
const app = await startApp({ clock, environment: { RATE_LIMITS: 'off' } })
const { olga, alice, bob, mallory } = await meetPeople(app)
const registered = await assistantApp(app, olga)
const tokenOf = (person: typeof alice) => assistantToken(app, registered, person, { clock })
const ofAlice = await connectAssistant(app, await tokenOf(alice))
await alice.send('PUT', '/api/my_profile', { timeZone: 'Europe/Berlin' })

/** Four Mondays at 09:00 in Berlin, of which the last two are in summer time. */
const series = async (changes: object = {}) => {
  const meeting = await schedule(
    alice,
    standUp({
      topic: 'Review',
      startTime: '2027-03-15T09:00:00+01:00',
      endTime: '2027-03-15T09:45:00+01:00',
      participants: ['bob@example.org', 'carol@example.org'],
      repeatOptions: { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0], count: 4, timeZone: 'Europe/Berlin' },
      ...changes,
    }),
  )
  await app.mails()
  return meeting
}
const third = '2027-03-29T07:00:00.000Z'
const datesOf = async (meeting: { _id: string }) => {
  const { body } = await alice.send('GET', `${detailsPath(meeting)}?occurrences=9`)
  return body[0].occurrences.map(({ startTime }: { startTime: string }) => startTime.slice('2027-'.length, 10))
}
const mailed = async () => (await app.mails()).map(({ to }) => to).toSorted()
const everyone = ['bob@example.org', 'carol@example.org']

test('cancels one date, and says who is mailed', async () => {
  const meeting = await series()
  const { result, sentence } = await ofAlice.call('cancel_meeting', {
    meetingId: meeting._id,
    occurrence: 'one',
    originalStart: third,
  })
  assert.equal(
    sentence,
    'Cancelled “Review” only on Monday, 29 March 2027, 09:00–09:45 (Europe/Berlin, +02:00). 2 people are mailed a cancellation (bob@example.org, carol@example.org).',
  )
  assert.deepEqual(result.mails, [{ kind: 'cancellation', count: 2, to: everyone }])
  assert.deepEqual([result.changed, result.status, result.dates.length], [true, 'active', 3])
  assert.deepEqual(await datesOf(meeting), ['03-15', '03-22', '04-05'])
  assert.deepEqual(await mailed(), everyone)

  const again = await ofAlice.call('cancel_meeting', {
    meetingId: meeting._id,
    occurrence: 'one',
    originalStart: third,
  })
  assert.deepEqual([again.result.changed, again.result.mails], [false, []])
  assert.equal(again.sentence, '“Review” was cancelled already. No one is mailed.')
  assert.deepEqual(await mailed(), [])
})

test('cancels a date and all that follow, or everything', async () => {
  const meeting = await series()
  const following = await ofAlice.call('cancel_meeting', {
    meetingId: meeting._id,
    occurrence: 'following',
    originalStart: third,
  })
  assert.match(
    following.sentence,
    /^Cancelled “Review” from Monday, 29 March 2027, 09:00–09:45 \(Europe\/Berlin, \+02:00\) on\./,
  )
  assert.deepEqual(await datesOf(meeting), ['03-15', '03-22'])
  assert.deepEqual(await mailed(), everyone)

  const all = await ofAlice.call('cancel_meeting', { meetingId: meeting._id, occurrence: 'all' })
  assert.match(all.sentence, /^Cancelled “Review” with all of its dates\./)
  assert.deepEqual([all.result.status, all.result.dates], ['cancelled', []])
  assert.deepEqual(await mailed(), everyone)
  const again = await ofAlice.done('cancel_meeting', { meetingId: meeting._id, occurrence: 'all' })
  assert.deepEqual([again.changed, again.mails], [false, []])
  assert.deepEqual(await mailed(), [])
})

test('without mails no one is mailed, and it says so', async () => {
  const meeting = await series()
  const quiet = { meetingId: meeting._id, occurrence: 'all', mailParticipants: false }
  const { sentence, result } = await ofAlice.call('cancel_meeting', quiet)
  assert.match(sentence, /No one is mailed\.$/)
  assert.deepEqual(result.mails, [])
  assert.deepEqual(await mailed(), [])
})

test('how much of a series is meant is never guessed', async () => {
  const meeting = await series()
  const { _id: meetingId } = meeting
  assert.match(await ofAlice.refused('cancel_meeting', { meetingId }), /occurrence is missing/)
  assert.match(await ofAlice.refused('cancel_meeting', { meetingId, occurrence: 'one' }), /ask which date is meant/)
  const never = { meetingId, occurrence: 'one', originalStart: '2027-03-30T07:00:00Z' }
  assert.match(await ofAlice.refused('cancel_meeting', never), /^occurrence is no date of this meeting/)
  const nonsense = { meetingId, occurrence: 'following', originalStart: 'monday' }
  assert.match(await ofAlice.refused('cancel_meeting', nonsense), /originalStart must be an ISO 8601 timestamp/)
  assert.equal((await datesOf(meeting)).length, 4)

  const single = await series({ repeatOptions: { repeat: 'none', timeZone: 'Europe/Berlin' } })
  const one = await ofAlice.call('cancel_meeting', { meetingId: single._id, occurrence: 'one' })
  assert.match(one.sentence, /^Cancelled “Review” on Monday, 15 March 2027, 09:00–09:45/)
  assert.deepEqual(await mailed(), everyone)
})

test('asks Alice first where her client can, and does what she answers', async () => {
  const meeting = await series()
  const questions: string[] = []
  let answer: 'yes' | 'no' | 'close' = 'no'
  const asking = await connectAssistant(app, await tokenOf(alice), {
    confirm(question) {
      questions.push(question)
      return answer
    },
  })
  const cancel = { meetingId: meeting._id, occurrence: 'one', originalStart: third }
  assert.match(await asking.refused('cancel_meeting', cancel), /does not want to cancel it\. Nothing was changed/)
  answer = 'close'
  assert.match(await asking.refused('cancel_meeting', cancel), /Nothing was changed/)
  assert.equal((await datesOf(meeting)).length, 4)
  answer = 'yes'
  assert.equal((await asking.done('cancel_meeting', cancel)).changed, true)
  assert.equal((await datesOf(meeting)).length, 3)
  assert.equal((await asking.done('cancel_meeting', cancel)).changed, false, 'nothing is left to ask about')
  assert.deepEqual(
    new Set(questions),
    new Set([
      'Cancel “Review” only on Monday, 29 March 2027, 09:00–09:45 (Europe/Berlin, +02:00)? 2 people will be mailed a cancellation (bob@example.org, carol@example.org).',
    ]),
  )
  assert.deepEqual(await mailed(), everyone)
})

test('an answer confirms what was asked: not another date, nor a meeting that has changed, nor after ten minutes', async () => {
  const meeting = await series()
  const other = await series({ topic: 'Other' })
  const bearer = { authorization: `Bearer ${await tokenOf(alice)}` }
  let id = 0
  const send = async (input: object, more: object = {}) => {
    const message = {
      jsonrpc: '2.0',
      id: ++id,
      method: 'tools/call',
      params: {
        name: 'cancel_meeting',
        arguments: input,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
        },
        ...more,
      },
    }
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'cancel_meeting' }
    return (await (await postMcp(app, message, { ...bearer, ...headers })).json()).result
  }
  const cancel = { meetingId: meeting._id, occurrence: 'one', originalStart: third }
  const asked = await send(cancel)
  assert.equal(asked.resultType, 'input_required')
  const confirmed = (state: string) => ({
    requestState: state,
    inputResponses: { confirmation: { action: 'accept', content: { confirm: true } } },
  })
  const isAskedAgain = async (input: object, more: object) =>
    assert.equal((await send(input, more)).resultType, 'input_required')

  await isAskedAgain({ ...cancel, originalStart: '2027-04-05T07:00:00Z' }, confirmed(asked.requestState))
  await isAskedAgain({ ...cancel, occurrence: 'following' }, confirmed(asked.requestState))
  await isAskedAgain({ ...cancel, mailParticipants: false }, confirmed(asked.requestState))
  await isAskedAgain({ ...cancel, meetingId: other._id }, confirmed(asked.requestState))
  await isAskedAgain(cancel, confirmed('nonsense'))
  await isAskedAgain(cancel, { inputResponses: confirmed('').inputResponses })
  await isAskedAgain(cancel, { requestState: asked.requestState })

  await alice.send('PUT', `${detailsPath(meeting)}/occurrences/${third}?sendUpdates=none`, { topic: 'Review with Dan' })
  await isAskedAgain(cancel, confirmed(asked.requestState))

  const late = await send(cancel)
  clock.advance(10 * 60_000)
  await isAskedAgain(cancel, confirmed(late.requestState))
  const inTime = await send(cancel)
  clock.advance(10 * 60_000 - 1)
  assert.equal((await send(cancel, confirmed(inTime.requestState))).structuredContent.changed, true)
  await mailed()
})

test('only the host cancels through an assistant, and only with the scopes', async () => {
  const meeting = await series({ cohosts: ['bob@example.org'] })
  const cancel = { meetingId: meeting._id, occurrence: 'all' }
  const ofBob = await connectAssistant(app, await tokenOf(bob))
  assert.match(await ofBob.refused('cancel_meeting', cancel), /\(forbidden, request /)
  const ofMallory = await connectAssistant(app, await tokenOf(mallory))
  assert.match(await ofMallory.refused('cancel_meeting', cancel), /meeting_not_found/)
  const token = await assistantToken(app, registered, alice, { clock, scopes: ['meeting:read'] })
  const refused = await postMcp(app, toolCall('cancel_meeting', cancel), { authorization: `Bearer ${token}` })
  assert.equal(refused.status, 403)
  assert.match(String(refused.headers.get('www-authenticate')), /scope="meeting:read meeting:delete"/)
  assert.equal((await datesOf(meeting)).length, 4)
})
