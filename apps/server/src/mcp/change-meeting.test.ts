import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assistantApp, assistantToken, connectAssistant, postMcp, toolCall } from '../../test/mcp/assistant.ts'
import { detailsPath, meetPeople, schedule, standUp } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const clock = createClock('2027-03-20T08:00:00Z')
const app = await startApp({ clock, environment: { RATE_LIMITS: 'off' } })
const { olga, alice, bob, mallory } = await meetPeople(app)
const registered = await assistantApp(app, olga)
const tokenOf = (person: typeof alice) => assistantToken(app, registered, person, { clock })
const ofAlice = await connectAssistant(app, await tokenOf(alice))
await alice.send('PUT', '/api/my_profile', { timeZone: 'Europe/Berlin' })

/** Mondays at 09:00 in Berlin from 1 March to 26 April 2027: three have been held. */
const series = async (changes: object = {}) => {
  const meeting = await schedule(
    alice,
    standUp({
      topic: 'Review',
      description: 'Bring numbers.',
      startTime: '2027-03-01T09:00:00+01:00',
      endTime: '2027-03-01T09:45:00+01:00',
      participants: ['bob@example.org', 'carol@example.org'],
      repeatOptions: {
        repeat: 'weekly',
        daysOfWeek: [0, 1, 0, 0, 0, 0, 0],
        endDate: '2027-04-26T07:00:00Z',
        timeZone: 'Europe/Berlin',
      },
      ...changes,
    }),
  )
  await app.mails()
  return meeting
}
const easter = '2027-03-29T07:00:00.000Z'
type Occurrence = { startTime: string; endTime: string }
const read = async (meeting: { _id: string }) =>
  (await alice.send('GET', `${detailsPath(meeting)}?occurrences=9`)).body[0]
const datesOf = async (meeting: { _id: string }) =>
  (await read(meeting)).occurrences.map(
    ({ startTime, endTime }: Occurrence) => `${startTime.slice(5, 16)} ${endTime.slice(11, 16)}`,
  )
const mailed = async () => (await app.mails()).map(({ to }) => to).toSorted()
const everyone = ['bob@example.org', 'carol@example.org']

test('moves one date, and says who is mailed', async () => {
  const meeting = await series()
  const { result, sentence } = await ofAlice.call('change_meeting', {
    meetingId: meeting._id,
    occurrence: 'one',
    originalStart: easter,
    startTime: '2027-03-30T10:00',
    topic: 'Review after Easter',
  })
  assert.equal(
    sentence,
    'Changed “Review”: that date is now Tuesday, 30 March 2027, 10:00–10:45 (Europe/Berlin, +02:00). 2 people are mailed an update (bob@example.org, carol@example.org).',
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
  const meeting = await series()
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
  const repeatOptions = { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0], count: 5, timeZone: 'Europe/Berlin' }
  const meeting = await series({ repeatOptions })
  await ofAlice.done('change_meeting', { meetingId: meeting._id, occurrence: 'all', startTime: '2027-03-22T23:30' })
  assert.deepEqual(await datesOf(meeting), ['03-22T22:30 23:15', '03-29T21:30 22:15'])
  await ofAlice.done('change_meeting', { meetingId: meeting._id, occurrence: 'all', topic: 'Late review' })
  const { repeatOptions: kept, topic } = await read(meeting)
  assert.deepEqual([kept.count, topic], [5, 'Late review'])
  await mailed()
})

test('moves the dates by the rule, also where the next one has a time of its own', async () => {
  const meeting = await series()
  const moved = { startTime: '2027-03-22T12:00:00Z' }
  await alice.send('PUT', `${detailsPath(meeting)}/occurrences/2027-03-22T08:00:00.000Z?sendUpdates=none`, moved)
  await ofAlice.done('change_meeting', { meetingId: meeting._id, occurrence: 'all', startTime: '2027-03-22T10:00' })
  assert.deepEqual((await datesOf(meeting)).slice(1, 3), ['03-29T08:00 08:45', '04-05T08:00 08:45'])
  await mailed()
})

test('changes this date and all that follow: a new meeting continues the series, and what was held stays', async () => {
  const meeting = await series()
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
  const meeting = await series()
  const { result, sentence } = await ofAlice.call('change_meeting', {
    meetingId: meeting._id,
    occurrence: 'all',
    addParticipants: ['dan@example.org', 'Bob@example.org'],
    removeParticipants: ['CAROL@example.org'],
  })
  assert.match(
    sentence,
    /One person is mailed an invitation \(dan@example\.org\); One person is mailed a cancellation \(carol@example\.org\)/,
  )
  assert.deepEqual(result.mails, [
    { kind: 'invitation', count: 1, to: ['dan@example.org'] },
    { kind: 'cancellation', count: 1, to: ['carol@example.org'] },
  ])
  assert.deepEqual(
    (await read(meeting)).participants.map(({ email }: { email: string }) => email),
    ['bob@example.org', 'dan@example.org'],
  )
  assert.deepEqual(await mailed(), ['carol@example.org', 'dan@example.org'])
})

test('a change of a single meeting keeps everything else', async () => {
  const options = { waitingRoom: true, hostVideo: false }
  const single = await series({
    startTime: '2027-05-03T09:00:00+02:00',
    endTime: '2027-05-03T10:00:00+02:00',
    repeatOptions: { repeat: 'none', timeZone: 'IST' },
    advancedOptions: options,
    cohosts: ['bob@example.org'],
    reminderMinutes: 30,
  })
  const change = { meetingId: single._id, occurrence: 'all', startTime: '2027-05-04T11:00', timeZone: 'Europe/Berlin' }
  await ofAlice.done('change_meeting', change)
  const after = await read(single)
  assert.deepEqual([after.startTime, after.endTime], ['2027-05-04T09:00:00.000Z', '2027-05-04T10:00:00.000Z'])
  assert.deepEqual([after.topic, after.description, after.reminderMinutes], ['Review', 'Bring numbers.', 30])
  assert.deepEqual([after.cohosts, after.repeatOptions.timeZone], [['bob@example.org'], 'IST'])
  assert.deepEqual([after.advancedOptions.waitingRoom, after.advancedOptions.hostVideo], [true, false])
  assert.deepEqual(await mailed(), everyone)
  // The same again changes nothing for those who are invited.
  const again = await ofAlice.done('change_meeting', change)
  assert.deepEqual(again.mails, [])
  assert.deepEqual(await mailed(), [])
})

test('asks Alice where her client can and people are mailed, and names what will be', async () => {
  const meeting = await series()
  const questions: string[] = []
  let answer: 'yes' | 'no' = 'no'
  const asking = await connectAssistant(app, await tokenOf(alice), {
    confirm(question) {
      questions.push(question)
      return answer
    },
  })
  const change = {
    meetingId: meeting._id,
    occurrence: 'all',
    startTime: '2027-03-22T10:00',
    removeParticipants: ['carol@example.org'],
  }
  assert.match(await asking.refused('change_meeting', change), /does not want to change it\. Nothing was changed/)
  assert.deepEqual((await datesOf(meeting))[0], '03-22T08:00 08:45')
  answer = 'yes'
  await asking.done('change_meeting', change)
  assert.deepEqual((await datesOf(meeting))[0], '03-22T09:00 09:45')
  assert.deepEqual(
    [...new Set(questions)],
    [
      'Change “Review” with all of its dates? The time becomes Monday, 22 March 2027, 10:00–10:45 (Europe/Berlin, +01:00). The other dates follow. Then one person is invited. One person will be mailed an update (bob@example.org); One person will be mailed a cancellation (carol@example.org).',
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
  const meeting = await series()
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

test('only the host changes a meeting through an assistant, and each extent needs its own scopes', async () => {
  const meeting = await series({ cohosts: ['bob@example.org'] })
  const all = { meetingId: meeting._id, occurrence: 'all', topic: 'Other' }
  assert.match(await (await connectAssistant(app, await tokenOf(bob))).refused('change_meeting', all), /\(forbidden, /)
  const ofMallory = await connectAssistant(app, await tokenOf(mallory))
  assert.match(await ofMallory.refused('change_meeting', all), /meeting_not_found/)
  const token = await assistantToken(app, registered, alice, { clock, scopes: ['meeting:read'] })
  const scopeFor = async (input: object) => {
    const refused = await postMcp(app, toolCall('change_meeting', input), { authorization: `Bearer ${token}` })
    assert.equal(refused.status, 403)
    return /scope="([^"]*)"/.exec(String(refused.headers.get('www-authenticate')))?.[1]
  }
  assert.equal(await scopeFor(all), 'meeting:read meeting:update')
  assert.equal(await scopeFor({ ...all, occurrence: 'one', originalStart: easter }), 'meeting:read meeting:update')
  const following = { ...all, occurrence: 'following', originalStart: easter }
  assert.equal(await scopeFor(following), 'meeting:read meeting:update meeting:create')
  assert.equal((await read(meeting)).topic, 'Review')
})
