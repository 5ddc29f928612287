import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postMcp, useAssistant } from '../../test/mcp/assistant.ts'
import { detailsPath, schedule, standUp } from '../../test/people.ts'

const { app, clock, connect, meetHost, tokenFor } = await useAssistant({ start: '2027-03-20T08:00:00Z' })

/** Meet Alice, who hosts meetings with Bob and Carol, and her assistant. */
async function meetForReview() {
  const { alice, ofAlice, bob, carol } = await meetHost()
  const everyone = [bob.email, carol.email]
  /** Mondays at 09:00 in Berlin from 1 March to 26 April 2027: three have been held. */
  async function review(changes: object = {}) {
    const meeting = await schedule(
      alice,
      standUp({
        topic: 'Review',
        description: 'Bring numbers.',
        startTime: '2027-03-01T09:00:00+01:00',
        endTime: '2027-03-01T09:45:00+01:00',
        participants: everyone,
        repeatOptions: { ...mondays, endDate: '2027-04-26T07:00:00Z' },
        ...changes,
      }),
    )
    await app.mails()
    return meeting
  }
  const read = async (meeting: { _id: string }) =>
    (await alice.send('GET', `${detailsPath(meeting)}?occurrences=9`)).body[0]
  return {
    alice,
    ofAlice,
    bob,
    carol,
    everyone,
    review,
    /** Four Mondays that are all ahead: the first in winter time, the others in summer time. */
    fourMondays: (changes: object = {}) =>
      review({
        startTime: '2027-03-22T09:00:00+01:00',
        endTime: '2027-03-22T09:45:00+01:00',
        repeatOptions: { ...mondays, count: 4 },
        ...changes,
      }),
    read,
    datesOf: async (meeting: { _id: string }) =>
      (await read(meeting)).occurrences.map(
        ({ startTime, endTime }: Occurrence) => `${startTime.slice(5, 16)} ${endTime.slice(11, 16)}`,
      ),
  }
}
const mondays = { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0], timeZone: 'Europe/Berlin' }
type Occurrence = { startTime: string; endTime: string }
const easter = '2027-03-29T07:00:00.000Z'
/** The third of the four Mondays. */
const third = '2027-04-05T07:00:00.000Z'
const mailed = async () => (await app.mails()).map(({ to }) => to).toSorted()

test('moves one date, and says who is mailed', async () => {
  const { ofAlice, everyone, review, datesOf } = await meetForReview()
  const meeting = await review()
  const { result, sentence } = await ofAlice.call('change_meeting', {
    meetingId: meeting._id,
    occurrence: 'one',
    originalStart: easter,
    startTime: '2027-03-30T10:00',
    topic: 'Review after Easter',
  })
  assert.equal(
    sentence,
    `Changed “Review”: that date is now Tuesday, 30 March 2027, 10:00–10:45 (Europe/Berlin, +02:00). 2 people are mailed an update (${everyone.join(', ')}).`,
  )
  assert.deepEqual(await datesOf(meeting), [
    '03-22T08:00 08:45',
    '03-30T08:00 08:45',
    '04-05T07:00 07:45',
    '04-12T07:00 07:45',
    '04-19T07:00 07:45',
    '04-26T07:00 07:45',
  ])
  const { start, status, topic } = result.dates[1]
  assert.deepEqual([start.local, status, topic.text], ['2027-03-30T10:00', 'changed', 'Review after Easter'])
  assert.deepEqual(result.mails, [{ kind: 'update', count: 2, to: everyone }])
  assert.deepEqual(await mailed(), everyone)
})

test('moves all dates by the time of the next one: 10:00 in winter and summer, and the last date stays', async () => {
  const { ofAlice, everyone, review, read, datesOf } = await meetForReview()
  const meeting = await review()
  const all = { meetingId: meeting._id, occurrence: 'all', startTime: '2027-03-22T10:00', durationMinutes: 30 }
  const { result } = await ofAlice.call('change_meeting', all)
  assert.deepEqual(await datesOf(meeting), [
    '03-22T09:00 09:30',
    '03-29T08:00 08:30',
    '04-05T08:00 08:30',
    '04-12T08:00 08:30',
    '04-19T08:00 08:30',
    '04-26T08:00 08:30',
  ])
  assert.equal((await read(meeting)).startTime, '2027-03-01T09:00:00.000Z')
  assert.equal(result.dates[0].start.local, '2027-03-22T10:00')
  assert.equal(result.dates[1].start.offset, '+02:00')
  assert.deepEqual(await mailed(), everyone)
})

test('a series that ends by a count keeps it, whatever is changed', async () => {
  const { ofAlice, review, read, datesOf } = await meetForReview()
  const repeatOptions = { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0], count: 5, timeZone: 'Europe/Berlin' }
  const meeting = await review({ repeatOptions })
  await ofAlice.done('change_meeting', { meetingId: meeting._id, occurrence: 'all', startTime: '2027-03-22T23:30' })
  assert.deepEqual(await datesOf(meeting), ['03-22T22:30 23:15', '03-29T21:30 22:15'])
  await ofAlice.done('change_meeting', { meetingId: meeting._id, occurrence: 'all', topic: 'Late review' })
  const { repeatOptions: kept, topic } = await read(meeting)
  assert.deepEqual([kept.count, topic], [5, 'Late review'])
  await mailed()
})

test('moves the dates by the rule, also where the next one has a time of its own', async () => {
  const { alice, ofAlice, review, datesOf } = await meetForReview()
  const meeting = await review()
  const moved = { startTime: '2027-03-22T12:00:00Z' }
  await alice.send('PUT', `${detailsPath(meeting)}/occurrences/2027-03-22T08:00:00.000Z?sendUpdates=none`, moved)
  await ofAlice.done('change_meeting', { meetingId: meeting._id, occurrence: 'all', startTime: '2027-03-22T10:00' })
  assert.deepEqual((await datesOf(meeting)).slice(1, 3), ['03-29T08:00 08:45', '04-05T08:00 08:45'])
  await mailed()
})

test('changes this date and all that follow: a new meeting continues the series, and what was held stays', async () => {
  const { ofAlice, everyone, review, datesOf } = await meetForReview()
  const meeting = await review()
  const { result, sentence } = await ofAlice.call('change_meeting', {
    meetingId: meeting._id,
    occurrence: 'following',
    originalStart: easter,
    startTime: '2027-03-30T09:00',
    repeatOptions: { repeat: 'weekly', daysOfWeek: ['tuesday'], endDate: '2027-04-13' },
    addParticipants: ['dan@example.org'],
  })
  assert.notEqual(result.meetingId, meeting._id)
  assert.equal(result.continues, meeting._id)
  assert.match(sentence, /its next date is Tuesday, 30 March 2027, 09:00–09:45 \(Europe\/Berlin, \+02:00\)/)
  assert.deepEqual(await datesOf(meeting), ['03-22T08:00 08:45'])
  assert.deepEqual(await datesOf({ _id: result.meetingId }), [
    '03-30T07:00 07:45',
    '04-06T07:00 07:45',
    '04-13T07:00 07:45',
  ])
  assert.deepEqual(result.mails, [
    { kind: 'invitation', count: 1, to: ['dan@example.org'] },
    { kind: 'update', count: 2, to: everyone },
  ])
  assert.deepEqual([...new Set(await mailed())], [...everyone, 'dan@example.org'])
})

test('adds and removes people, and mails only those', async () => {
  const { ofAlice, bob, carol, review, read } = await meetForReview()
  const meeting = await review()
  const { result, sentence } = await ofAlice.call('change_meeting', {
    meetingId: meeting._id,
    occurrence: 'all',
    addParticipants: ['dan@example.org', bob.email.toUpperCase()],
    removeParticipants: [carol.email.toUpperCase()],
  })
  const said = `One person is mailed an invitation (dan@example.org); One person is mailed a cancellation (${carol.email})`
  assert.ok(sentence.includes(said), sentence)
  assert.deepEqual(result.mails, [
    { kind: 'invitation', count: 1, to: ['dan@example.org'] },
    { kind: 'cancellation', count: 1, to: [carol.email] },
  ])
  assert.deepEqual(
    (await read(meeting)).participants.map(({ email }: { email: string }) => email),
    [bob.email, 'dan@example.org'],
  )
  assert.deepEqual(await mailed(), [carol.email, 'dan@example.org'])
})

test('a change of a single meeting keeps everything else', async () => {
  const { ofAlice, bob, everyone, review, read } = await meetForReview()
  const options = { waitingRoom: true, hostVideo: false }
  const single = await review({
    startTime: '2027-05-03T09:00:00+02:00',
    endTime: '2027-05-03T10:00:00+02:00',
    repeatOptions: { repeat: 'none', timeZone: 'IST' },
    advancedOptions: options,
    cohosts: [bob.email],
    reminderMinutes: 30,
  })
  const change = { meetingId: single._id, occurrence: 'all', startTime: '2027-05-04T11:00', timeZone: 'Europe/Berlin' }
  await ofAlice.done('change_meeting', change)
  const after = await read(single)
  assert.deepEqual([after.startTime, after.endTime], ['2027-05-04T09:00:00.000Z', '2027-05-04T10:00:00.000Z'])
  assert.deepEqual([after.topic, after.description, after.reminderMinutes], ['Review', 'Bring numbers.', 30])
  assert.deepEqual([after.cohosts, after.repeatOptions.timeZone], [[bob.email], 'IST'])
  assert.deepEqual([after.advancedOptions.waitingRoom, after.advancedOptions.hostVideo], [true, false])
  assert.deepEqual(await mailed(), everyone)
  // The same again changes nothing for those who are invited.
  const again = await ofAlice.done('change_meeting', change)
  assert.deepEqual(again.mails, [])
  assert.deepEqual(await mailed(), [])
})

test('asks Alice before a change where her client can and people are mailed, and names what will be', async () => {
  const { alice, bob, carol, everyone, review, datesOf } = await meetForReview()
  const meeting = await review()
  const questions: string[] = []
  let answer: 'yes' | 'no' = 'no'
  const asking = await connect(alice, {
    confirm(question) {
      questions.push(question)
      return answer
    },
  })
  const change = {
    meetingId: meeting._id,
    occurrence: 'all',
    startTime: '2027-03-22T10:00',
    removeParticipants: [carol.email],
  }
  assert.match(await asking.refused('change_meeting', change), /does not want to change it\. Nothing was changed/)
  assert.deepEqual((await datesOf(meeting))[0], '03-22T08:00 08:45')
  answer = 'yes'
  await asking.done('change_meeting', change)
  assert.deepEqual((await datesOf(meeting))[0], '03-22T09:00 09:45')
  assert.deepEqual(
    [...new Set(questions)],
    [
      `Change “Review” with all of its dates? The time becomes Monday, 22 March 2027, 10:00–10:45 (Europe/Berlin, +01:00). The other dates follow. Then one person is invited. One person will be mailed an update (${bob.email}); One person will be mailed a cancellation (${carol.email}).`,
    ],
  )
  await asking.done('change_meeting', {
    ...change,
    removeParticipants: undefined,
    startTime: '2027-03-22T11:00',
    mailParticipants: false,
  })
  assert.equal(questions.length, 2)
  assert.deepEqual(await mailed(), everyone)
})

test('refuses what it would have to guess', async () => {
  const { ofAlice, review, read } = await meetForReview()
  const meeting = await review()
  const { _id: meetingId } = meeting
  const one = { meetingId, occurrence: 'one', originalStart: easter }
  const all = { meetingId, occurrence: 'all' }
  const refusals: [object, RegExp][] = [
    [{ meetingId, startTime: '2027-03-22T10:00' }, /occurrence is missing/],
    [{ meetingId, occurrence: 'one', topic: 'Other' }, /ask which date is meant/],
    [all, /^The body must say what is to be changed/],
    [{ ...one, addParticipants: ['dan@example.org'] }, /addParticipants belongs to the whole series/],
    [{ ...one, repeatOptions: { repeat: 'daily' } }, /repeatOptions belongs to the whole series/],
    [{ ...all, startTime: '2027-03-23T09:00' }, /on another day.*send repeatOptions/],
    [
      { ...all, startTime: '2027-03-22T10:00', endTime: '2027-03-22T11:00', durationMinutes: 30 },
      /endTime cannot be sent together/,
    ],
    [
      { ...all, removeParticipants: ['dan@example.org'] },
      /removeParticipants\.0 names dan@example\.org, who is not invited/,
    ],
    [{ ...all, addParticipants: ['dan'] }, /is not an email address/],
    [
      { ...one, startTime: '2027-03-28T02:30' },
      /startTime is 02:30, which does not exist on 28 March 2027 in Europe\/Berlin: ask for 01:30 or 03:30/,
    ],
    [{ ...one, originalStart: '2027-03-31T07:00:00Z', topic: 'Other' }, /occurrence_not_found/],
    [
      { ...one, originalStart: '2027-03-31T07:00:00Z', startTime: '2027-03-31T10:00' },
      /originalStart names no date ahead/,
    ],
    [{ ...one, startTime: '2027-04-06T09:00' }, /between the original starts/],
    [{ ...all, timeZone: 'Mars/Base', topic: 'Other' }, /names no time zone/],
  ]
  for (const [sent, message] of refusals) {
    assert.match(await ofAlice.refused('change_meeting', { ...sent }), message, JSON.stringify(sent))
  }
  assert.equal((await read(meeting)).__v, meeting.__v)
  assert.deepEqual(await mailed(), [])
})

test('cancels one date, and says who is mailed', async () => {
  const { ofAlice, everyone, fourMondays, datesOf } = await meetForReview()
  const meeting = await fourMondays()
  const { result, sentence } = await ofAlice.call('cancel_meeting', {
    meetingId: meeting._id,
    occurrence: 'one',
    originalStart: third,
  })
  assert.equal(
    sentence,
    `Cancelled “Review” only on Monday, 5 April 2027, 09:00–09:45 (Europe/Berlin, +02:00). 2 people are mailed a cancellation (${everyone.join(', ')}).`,
  )
  assert.deepEqual(result.mails, [{ kind: 'cancellation', count: 2, to: everyone }])
  assert.deepEqual([result.changed, result.status, result.dates.length], [true, 'active', 3])
  assert.deepEqual(await datesOf(meeting), ['03-22T08:00 08:45', '03-29T07:00 07:45', '04-12T07:00 07:45'])
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
  const { ofAlice, everyone, fourMondays, datesOf } = await meetForReview()
  const meeting = await fourMondays()
  const following = await ofAlice.call('cancel_meeting', {
    meetingId: meeting._id,
    occurrence: 'following',
    originalStart: third,
  })
  assert.match(
    following.sentence,
    /^Cancelled “Review” from Monday, 5 April 2027, 09:00–09:45 \(Europe\/Berlin, \+02:00\) on\./,
  )
  assert.deepEqual(await datesOf(meeting), ['03-22T08:00 08:45', '03-29T07:00 07:45'])
  assert.deepEqual(await mailed(), everyone)

  const all = await ofAlice.call('cancel_meeting', { meetingId: meeting._id, occurrence: 'all' })
  assert.match(all.sentence, /^Cancelled “Review” with all of its dates\./)
  assert.deepEqual([all.result.status, all.result.dates], ['cancelled', []])
  assert.deepEqual(await mailed(), everyone)
  const again = await ofAlice.done('cancel_meeting', { meetingId: meeting._id, occurrence: 'all' })
  assert.deepEqual([again.changed, again.mails], [false, []])
  assert.deepEqual(await mailed(), [])
})

test('a cancellation without mails says that no one is mailed', async () => {
  const { ofAlice, fourMondays } = await meetForReview()
  const meeting = await fourMondays()
  const quiet = { meetingId: meeting._id, occurrence: 'all', mailParticipants: false }
  const { sentence, result } = await ofAlice.call('cancel_meeting', quiet)
  assert.match(sentence, /No one is mailed\.$/)
  assert.deepEqual(result.mails, [])
  assert.deepEqual(await mailed(), [])
})

test('how much of a series is cancelled is never guessed', async () => {
  const { ofAlice, everyone, fourMondays, datesOf } = await meetForReview()
  const meeting = await fourMondays()
  const { _id: meetingId } = meeting
  assert.match(await ofAlice.refused('cancel_meeting', { meetingId }), /occurrence is missing/)
  assert.match(await ofAlice.refused('cancel_meeting', { meetingId, occurrence: 'one' }), /ask which date is meant/)
  const never = { meetingId, occurrence: 'one', originalStart: '2027-03-30T07:00:00Z' }
  assert.match(await ofAlice.refused('cancel_meeting', never), /^occurrence is no date of this meeting/)
  const nonsense = { meetingId, occurrence: 'following', originalStart: 'monday' }
  assert.match(await ofAlice.refused('cancel_meeting', nonsense), /originalStart must be an ISO 8601 timestamp/)
  assert.equal((await datesOf(meeting)).length, 4)

  const single = await fourMondays({ repeatOptions: { repeat: 'none', timeZone: 'Europe/Berlin' } })
  const one = await ofAlice.call('cancel_meeting', { meetingId: single._id, occurrence: 'one' })
  assert.match(one.sentence, /^Cancelled “Review” on Monday, 22 March 2027, 09:00–09:45/)
  assert.deepEqual(await mailed(), everyone)
})

test('asks Alice before a cancellation where her client can, and does what she answers', async () => {
  const { alice, everyone, fourMondays, datesOf } = await meetForReview()
  const meeting = await fourMondays()
  const questions: string[] = []
  let answer: 'yes' | 'no' | 'close' = 'no'
  const asking = await connect(alice, {
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
      `Cancel “Review” only on Monday, 5 April 2027, 09:00–09:45 (Europe/Berlin, +02:00)? 2 people will be mailed a cancellation (${everyone.join(', ')}).`,
    ]),
  )
  assert.deepEqual(await mailed(), everyone)
})

test('an answer confirms the cancellation that was asked: not another date, nor a meeting that has changed, nor after ten minutes', async () => {
  const { alice, fourMondays } = await meetForReview()
  const meeting = await fourMondays()
  const other = await fourMondays({ topic: 'Other' })
  const bearer = { authorization: `Bearer ${await tokenFor(alice)}` }
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

  await isAskedAgain({ ...cancel, originalStart: '2027-04-12T07:00:00Z' }, confirmed(asked.requestState))
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
