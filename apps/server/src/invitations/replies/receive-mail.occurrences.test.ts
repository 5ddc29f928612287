import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appleReply, googleReply, outlookReply, type ReplyFields } from '../../../test/meetings/calendar-replies.ts'
import { linesOf, replyFieldsOf, startReplyMailbox, toBob } from '../../../test/meetings/reply-mailbox.ts'
import { cancelPath, detailsPath, standUp, weekdays } from '../../../test/people.ts'

const { app, clock, alice, bob, invite, receive, responseOf } = await startReplyMailbox()

const dayOf = (day: number) => `2030-01-${String(day).padStart(2, '0')}T09:00:00.000Z`
/** A reply about the date of a day in January at 09:00 in London. */
const about = (replyFields: ReplyFields, day: number, changes: Partial<ReplyFields> = {}): ReplyFields => ({
  ...replyFields,
  lines: [`RECURRENCE-ID:203001${day}T090000Z`],
  ...changes,
})
async function responsesTo(meeting: { _id: string }, start: string): Promise<string[]> {
  const { body } = await alice.send('GET', `${detailsPath(meeting)}/occurrences?status=all`)
  const found = body.occurrences.find((one: { originalStartTime: string }) => one.originalStartTime === start)
  return found.responses.map(({ email, response }: Record<string, string>) => `${email} ${response}`)
}

test('records answers to one date as Google Calendar, Outlook and Apple name it; the series keeps its own', async () => {
  const { meeting, replyFields } = await invite(weekdays())
  assert.equal(await receive(googleReply(replyFields)), 'recorded')
  const forms: [string, string][] = [
    ['google', googleReply(about(replyFields, 15, { partstat: 'DECLINED' }))],
    [
      'outlook',
      outlookReply({
        ...replyFields,
        partstat: 'TENTATIVE',
        lines: ['RECURRENCE-ID;TZID=GMT Standard Time:20300116T090000'],
      }),
    ],
    [
      'apple',
      appleReply({ ...replyFields, partstat: 'DECLINED', lines: ['RECURRENCE-ID;TZID=Europe/Berlin:20300117T100000'] }),
    ],
    ['local', appleReply({ ...replyFields, partstat: 'DECLINED', lines: ['RECURRENCE-ID:20300118T090000'] })],
  ]
  for (const [name, mail] of forms) assert.equal(await receive(mail), 'recorded', name)
  assert.deepEqual(await responsesTo(meeting, dayOf(15)), ['bob@example.org declined'])
  assert.deepEqual(await responsesTo(meeting, dayOf(16)), ['bob@example.org tentative'])
  assert.deepEqual(await responsesTo(meeting, dayOf(17)), ['bob@example.org declined'])
  assert.deepEqual(await responsesTo(meeting, dayOf(18)), ['bob@example.org declined'])
  assert.deepEqual(await responsesTo(meeting, dayOf(21)), [])
  assert.equal(await responseOf(meeting), 'accepted')
})

test('one mail answers the series and some of its dates, in any order', async () => {
  const { meeting, replyFields } = await invite(weekdays())
  const master = linesOf(/BEGIN:VEVENT[\s\S]*END:VEVENT/.exec(googleReply(replyFields))?.[0])
  const override = master
    .toSpliced(-1, 0, 'RECURRENCE-ID:20300115T090000Z')
    .map((line) => line.replace('ACCEPTED', 'DECLINED'))
  for (const [name, events] of [
    ['series first', [master, override]],
    ['date first', [override, master]],
  ] as const) {
    const text = events.flat().join('\r\n')
    const mail = appleReply(replyFields).replace(/BEGIN:VEVENT[\s\S]*END:VEVENT/, text.replaceAll('=', '=3D'))
    assert.equal(await receive(mail), 'recorded', name)
    assert.deepEqual(await responsesTo(meeting, dayOf(15)), ['bob@example.org declined'], name)
    assert.equal(await responseOf(meeting), 'accepted', name)
  }
})

test('drops answers to dates that the series does not have, that are cancelled or over', async () => {
  const { meeting, replyFields } = await invite(weekdays())
  await alice.send('POST', `${cancelPath(meeting)}?sendUpdates=none`, { cancel: 'current', occurrence: dayOf(16) })
  assert.equal(await receive(googleReply(about(replyFields, 12))), 'unknown-date', 'a Saturday')
  assert.equal(await receive(googleReply(about(replyFields, 16))), 'cancelled')
  clock.set('2030-01-15T09:30:00Z')
  assert.equal(await receive(googleReply(about(replyFields, 15))), 'over')
  clock.set('2030-01-01T12:00:00Z')
  const single = await invite(standUp())
  assert.equal(await receive(googleReply(about(single.replyFields, 17))), 'unknown-date')
  const stored = await app.database
    .selectFrom('occurrenceResponse')
    .select('emailKey')
    .where('meetingId', '=', meeting._id)
    .execute()
  assert.deepEqual(stored, [])
})

test('an answer to the former time of a date is ignored; one to a date that only got a topic counts', async () => {
  const { meeting, replyFields } = await invite(weekdays())
  clock.set('2030-01-01T12:10:00Z')
  const change = (changed: object) => alice.send('PUT', `${detailsPath(meeting)}/occurrences/${dayOf(15)}`, changed)
  await change({ topic: 'Walk' })
  await app.mails()
  const answer = (sequence: number, stamp: string) =>
    receive(googleReply(about(replyFields, 15, { sequence, stamp: `20300101T${stamp}Z` })))
  assert.equal(await answer(0, '120900'), 'recorded')
  await change({ startTime: '2030-01-15T11:00:00Z' })
  const update = toBob(await app.mails())
  assert.deepEqual(await responsesTo(meeting, dayOf(15)), [])
  assert.equal(await answer(1, '121100'), 'outdated')
  assert.match(update ?? '', /\r\nSEQUENCE:2\r\n/)
  assert.equal(replyFieldsOf(update).to, replyFields.to)
  assert.equal(await answer(2, '121000'), 'recorded')
  assert.deepEqual(await responsesTo(meeting, dayOf(15)), ['bob@example.org accepted'])
  clock.set('2030-01-01T12:00:00Z')
})

test('an answer that arrives late does not replace a later one to the same date, wherever that was given', async () => {
  const { meeting, replyFields } = await invite(weekdays())
  clock.set('2030-01-01T12:10:00Z')
  const declined = { partstat: 'DECLINED', stamp: '20300101T120500Z' }
  assert.equal(await receive(googleReply(about(replyFields, 15, declined))), 'recorded')
  assert.equal(await receive(googleReply(about(replyFields, 15, { stamp: '20300101T120459Z' }))), 'outdated')
  assert.equal(
    await receive(googleReply(about(replyFields, 16, { stamp: '20300101T120459Z' }))),
    'recorded',
    'another date',
  )
  assert.equal(await receive(googleReply({ ...replyFields, stamp: '20300101T120459Z' })), 'recorded', 'the series')
  await bob.send('POST', `${detailsPath(meeting)}/response`, { response: 'tentative', occurrence: dayOf(15) })
  assert.equal(await receive(googleReply(about(replyFields, 15, { stamp: '20300101T120959Z' }))), 'outdated')
  assert.deepEqual(await responsesTo(meeting, dayOf(15)), ['bob@example.org tentative'])
  clock.set('2030-01-01T12:00:00Z')
})

test('an answer to one date counts for one guest of one meeting', async () => {
  const [{ meeting, replyFields }, other] = [
    await invite(weekdays(), ['bob@example.org', 'dan@elsewhere.example']),
    await invite(weekdays()),
  ]
  const wrong: [string, Partial<ReplyFields>, string][] = [
    ['the token of another meeting', { to: other.replyFields.to }, 'wrong-token'],
    ['a forged sender', { from: 'dan@elsewhere.example' }, 'wrong-token'],
    ['a sender who answers for another', { from: 'mallory@example.org', attendee: 'bob@example.org' }, 'other-sender'],
    ['another meeting', { uid: other.replyFields.uid }, 'wrong-token'],
    ['what follows a date', { lines: ['RECURRENCE-ID;RANGE=THISANDFUTURE:20300115T090000Z'] }, 'no-answer'],
  ]
  for (const [name, change, expected] of wrong) {
    assert.equal(await receive(googleReply(about(replyFields, 15, change))), expected, name)
  }
  assert.deepEqual(await responsesTo(meeting, dayOf(15)), [])
  assert.deepEqual(await responsesTo(other.meeting, dayOf(15)), [])
})

test('a RECURRENCE-ID in any form names a date of the series, or nothing', async () => {
  const { meeting, replyFields } = await invite(weekdays())
  const parameters = [
    '',
    ';TZID=Europe/London',
    ';TZID="../../etc/passwd"',
    ';TZID=',
    ';VALUE=DATE',
    ';VALUE=PERIOD',
    ';X="a;b:c"',
  ]
  const values = [
    '20300115T090000Z',
    '20300115T090000',
    '20300115',
    '20300115T0900Z',
    '20300115T250000Z',
    '20300230T090000Z',
    '00000000T000000Z',
    '99991231T235959Z',
    '99999999T999999',
    '-20300115T090000Z',
    '+20300115T090000Z',
    '1e9',
    'NaN',
    '20300115T090060Z',
    '2030-01-15T09:00:00Z',
    '20300115T090000+0100',
    '',
    ' ',
    '\u0000',
    '٢٠٣٠٠١١٥T090000Z',
    "'; drop table",
  ]
  const seen = new Map<string, number>()
  for (const parameter of parameters) {
    for (const value of values) {
      const outcome = await receive(googleReply({ ...replyFields, lines: [`RECURRENCE-ID${parameter}:${value}`] }))
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
      assert.ok(['recorded', 'unknown-date', 'no-answer'].includes(outcome), `${parameter}:${value} is ${outcome}`)
    }
  }
  assert.deepEqual([...seen.keys()].toSorted(), ['no-answer', 'recorded', 'unknown-date'])
  const stored = await app.database
    .selectFrom('occurrenceResponse')
    .select('originalStart')
    .where('meetingId', '=', meeting._id)
    .execute()
  assert.deepEqual(stored, [{ originalStart: new Date(dayOf(15)) }])
  assert.equal(await responseOf(meeting), undefined)
})

test('mails, invite.ics and the feed show Bob, and no other person, his answers to single dates', async () => {
  const { meeting, replyFields } = await invite(weekdays(), ['bob@example.org', 'carol@example.org'])
  await receive(googleReply(replyFields))
  await receive(googleReply(about(replyFields, 15, { partstat: 'DECLINED' })))
  await alice.send(
    'PUT',
    detailsPath(meeting),
    weekdays({ topic: 'Walk', participants: ['bob@example.org', 'carol@example.org'] }),
  )
  const mails = await app.mails()
  const attendees = (text: string | undefined) =>
    linesOf(text)
      .filter((line) => /^(ATTENDEE|RECURRENCE-ID)/.test(line))
      .map((line) => /PARTSTAT=[A-Z-]+|RECURRENCE-ID.*/.exec(line)?.[0])
  const expected = ['PARTSTAT=ACCEPTED', 'RECURRENCE-ID;TZID=Europe/London:20300115T090000', 'PARTSTAT=DECLINED']
  assert.deepEqual(attendees(toBob(mails)), expected)
  assert.deepEqual(attendees(mails.find(({ to }) => to.startsWith('carol'))?.calendar?.text), ['PARTSTAT=NEEDS-ACTION'])
  const invitation = (token: string) =>
    fetch(`${app.base}${detailsPath(meeting)}/invite.ics`, { headers: { authorization: `Bearer ${token}` } })
  const own = await (await invitation(bob.token)).text()
  assert.deepEqual(attendees(own), expected)
  assert.doesNotMatch(own, /carol/)
  assert.deepEqual(attendees(await (await invitation(alice.token)).text()), [])
})
