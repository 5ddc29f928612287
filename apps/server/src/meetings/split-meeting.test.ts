import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subjectOf } from '../../test/mailbox.ts'
import { quietly, startSplits } from '../../test/meetings/start-splits.ts'
import { cancelPath, type Person, schedule } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'

const { app, clock, alice, bob, mondays, split, splitUp, read, occurrencesOf, quiet } = await startSplits()

test('the series ends before the occurrence, and a meeting with a link of its own continues it', async () => {
  const meeting = await schedule(alice, mondays({ reminderMinutes: 30, advancedOptions: { waitingRoom: true } }))
  await app.mails()
  clock.advance(3 * 60_000)
  const answer = await split(meeting, {
    topic: 'Review',
    startTime: '2030-01-21T10:00:00Z',
    advancedOptions: { hostAudio: false },
  })
  await expectOk(answer)
  const next = answer.body
  assert.equal(answer.headers.get('etag'), '"v0"')
  assert.deepEqual(
    [next.continues, next.continuedBy, next.topic, next.startTime, next.endTime, next.reminderMinutes],
    [meeting._id, null, 'Review', '2030-01-21T10:00:00.000Z', '2030-01-21T10:30:00.000Z', 30],
  )
  assert.deepEqual([next.advancedOptions.waitingRoom, next.advancedOptions.hostAudio], [true, false])
  assert.deepEqual(
    next.participants.map(({ email }: Person) => email),
    [bob.email, 'dan@elsewhere.example'],
  )
  for (const field of ['_id', 'svcMeetId', 'pin', 'meetingUrl', 'addToSvcUrl']) {
    assert.notEqual(next[field], meeting[field], field)
  }
  assert.equal(next.userId, meeting.userId)

  const [former, continued] = [await read(meeting), await read(next)]
  assert.deepEqual([former.continues, former.continuedBy, former.__v], [null, next._id, 1])
  assert.deepEqual([continued.continues, continued.continuedBy], [meeting._id, null])
  assert.notEqual(continued.roomKey, former.roomKey)
  assert.deepEqual(
    [former.topic, former.pin, former.repeatOptions.endDate],
    ['Stand-up', meeting.pin, '2030-01-14T23:59:59.000Z'],
  )
  assert.deepEqual(await occurrencesOf(meeting), ['01-07T09:00–09:30 active', '01-14T09:00–09:30 active'])
  assert.deepEqual(await occurrencesOf(next, 'limit=2'), ['01-21T10:00–10:30 active', '01-28T10:00–10:30 active'])

  const mails = await app.mails()
  const received = mails.map((mail) => [
    mail.to,
    subjectOf(mail),
    /METHOD:(\w+)/.exec(mail.calendar?.text ?? '')?.[1],
    /UNTIL=(\w+)/.exec(mail.calendar?.text ?? '')?.[1],
    /UID:([\w-]+)/.exec(mail.calendar?.text ?? '')?.[1],
  ])
  for (const guest of [bob.email, 'dan@elsewhere.example']) {
    const [changed] = received.filter(
      ([to, subject]) => to === guest && subject === 'Changed from 21 January 2030: Stand-up',
    )
    assert.deepEqual(changed?.slice(2), ['REQUEST', '20300114T090000Z', meeting._id])
    const [invited] = received.filter(([to, subject]) => to === guest && subject === 'Invitation: Review')
    assert.deepEqual(invited?.slice(2), ['REQUEST', undefined, next._id])
  }
})

test('a split of a part keeps the chain, and other parts stay linked', async () => {
  const meeting = await quiet()
  const last = await splitUp(meeting, { occurrence: '2030-02-04T09:00:00Z' })
  const middle = await splitUp(meeting)
  assert.deepEqual([middle.continues, middle.continuedBy], [meeting._id, last._id])
  assert.equal((await read(last)).continues, middle._id)
  const newest = await splitUp(last, { occurrence: '2030-02-18T09:00:00Z' })
  assert.deepEqual(
    [
      (await read(meeting)).continuedBy,
      (await read(middle)).continuedBy,
      (await read(last)).continuedBy,
      newest.continuedBy,
    ],
    [middle._id, last._id, newest._id, null],
  )
  await alice.send('POST', `${cancelPath(middle)}${quietly.query}`, { cancel: 'all' })
  assert.equal((await read(meeting)).continuedBy, middle._id, 'a cancelled part keeps its links')
})

const refused: [string, object, object, string[]][] = [
  ['the first occurrence', {}, { occurrence: '2030-01-07T09:00:00Z' }, ['/occurrence nothing_before']],
  [
    'a time at which nothing takes place',
    {},
    { occurrence: '2030-01-21T09:30:00Z' },
    ['/occurrence no_such_occurrence'],
  ],
  ['a single meeting', { repeatOptions: { repeat: 'none', timeZone: 'UTC' } }, {}, ['/occurrence not_recurring']],
  ['the start of the series', {}, { startTime: '2030-01-07T09:00:00Z' }, ['/startTime before_split']],
  ['no occurrence', {}, { occurrence: undefined }, ['/occurrence required']],
  [
    'several wrong fields',
    {},
    { occurrence: 'soon', topic: '', participants: ['bob'], repeatOptions: { repeat: 'weekly' }, isPinEnabled: false },
    [
      '/isPinEnabled must_be_true',
      '/occurrence bad_format',
      '/participants/0 bad_format',
      '/repeatOptions/daysOfWeek required',
      '/topic too_short',
    ],
  ],
]
for (const [name, made, body, expected] of refused) {
  test(`refuses ${name}, and changes nothing`, async () => {
    const meeting = await quiet(made)
    await expectProblem(split(meeting, body, quietly), 'invalid_request', expected)
    const { __v, continuedBy } = await read(meeting)
    assert.deepEqual([__v, continuedBy], [0, null])
  })
}

test('what has begun stays with the series', async () => {
  const meeting = await quiet()
  clock.set('2030-01-21T09:00:00Z')
  await expectProblem(split(meeting, {}, quietly), 'invalid_request', ['/occurrence occurrence_begun'])
  clock.set('2030-01-21T09:30:00Z')
  await expectProblem(split(meeting, {}, quietly), 'invalid_request', ['/occurrence occurrence_over'])
  clock.set('2030-01-21T08:59:59Z')
  await expectOk(split(meeting, {}, quietly))
})

test('a retry with the same key splits once', async () => {
  const meeting = await quiet()
  const options = { ...quietly, headers: { 'idempotency-key': 'split-1' } }
  const [one, again] = [await splitUp(meeting, {}, options), await splitUp(meeting, {}, options)]
  assert.equal(again._id, one._id)
  await expectProblem(split(meeting, { topic: 'Review' }, options), 'key_reused')
})

test('two splits at once give one continuation', async () => {
  const meeting = await quiet()
  const answers = await Promise.all([split(meeting, {}, quietly), split(meeting, {}, quietly)])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400])
})
