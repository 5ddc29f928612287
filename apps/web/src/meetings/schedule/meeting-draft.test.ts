import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advancedOptionDefaults, type SingleMeetingReply, unusedFields, usualMeetingDefaults } from '@parley/contract'
import { fieldOf, validateDraft } from './draft-validation.ts'
import {
  copiedDraft,
  draftOf,
  entryChoiceOf,
  entryChoices,
  isSameDraft,
  type MeetingDraft,
  newDraft,
  toMeetingRequest,
  withEntryChoice,
} from './meeting-draft.ts'
import { followDate, presetOf, presetsOn, repeatFrom, withPreset } from './repeat-draft.ts'

const kolkata = 'Asia/Kolkata'
const draft = (changes: Partial<MeetingDraft> = {}): MeetingDraft => ({
  ...newDraft(new Date('2026-11-27T03:40:00Z'), { timeZone: 'IST', zoneId: kolkata, defaults: usualMeetingDefaults }),
  topic: 'Stand-up',
  ...changes,
})
const weekly = { ...draft().repeat, repeat: 'weekly' } as const

/** The request as the server's reply. */
function answered(from: MeetingDraft, changes: Partial<SingleMeetingReply['repeatOptions']> = {}): SingleMeetingReply {
  const { participants, cohosts = [], ...sent } = toMeetingRequest(from, kolkata)
  const people = participants.map((one) => ({ email: typeof one === 'string' ? one : one.email }))
  const meeting = {
    ...unusedFields,
    ...sent,
    participants: people,
    cohosts,
    scheduledDuration: from.durationMs,
    repeatOptions: {
      interval: null,
      daysOfWeek: [0, 0, 0, 0, 0, 0, 0],
      dateInMonth: 0,
      lastDayOfMonth: false,
      weeksInMonth: [0, 0, 0, 0, 0],
      endDate: null,
      count: null,
      repeatUntill: null,
      timeZoneIana: kolkata,
      ...sent.repeatOptions,
      ...changes,
    },
  }
  return meeting as unknown as SingleMeetingReply
}

test('a new meeting starts at the next half hour, and each kind of recurrence on its day', () => {
  const { date, time, repeat } = draft()
  assert.deepEqual({ date, time }, { date: '2026-11-27', time: '09:30' })
  assert.deepEqual(repeat.weekdays, [5])
  assert.deepEqual([repeat.dateInMonth, repeat.weeks, repeat.weekdaysInMonth], [27, [3], [5]])
})

test('recurrence values that match the date follow it, and others stay', () => {
  const moved = followDate({ ...weekly, weeks: [4] }, '2026-11-27', '2026-12-01')
  assert.deepEqual(moved.weekdays, [2])
  assert.equal(moved.dateInMonth, 1)
  assert.deepEqual([moved.weeks, moved.weekdaysInMonth], [[4], [5]])
  assert.deepEqual(followDate({ ...weekly, weekdays: [1, 5] }, '2026-11-27', '2026-12-01').weekdays, [1, 5])
  assert.deepEqual(followDate(weekly, '2026-11-27', ''), weekly)
})

test('a weekly meeting in IST is sent with its zone, its days, and the last second of its last day', () => {
  const request = toMeetingRequest(draft({ repeat: { ...weekly, ends: 'date', endDate: '2027-01-29' } }), kolkata)
  assert.equal(request.startTime, '2026-11-27T04:00:00.000Z')
  assert.equal(request.endTime, '2026-11-27T04:30:00.000Z')
  assert.deepEqual(request.repeatOptions, {
    repeat: 'weekly',
    daysOfWeek: [0, 0, 0, 0, 0, 1, 0],
    interval: 1,
    endDate: '2027-01-29T18:29:59.000Z',
    timeZone: 'IST',
  })
})

test('a draft of a stored meeting equals the draft that was sent', () => {
  const repeats = [
    draft().repeat,
    { ...weekly, weekdays: [1, 3], interval: 2, ends: 'date', endDate: '2027-01-29' },
    { ...weekly, repeat: 'weekdays' },
    { ...weekly, repeat: 'monthly', monthlyOn: 'last-day' },
    { ...weekly, repeat: 'monthly', monthlyOn: 'date', dateInMonth: 31 },
    { ...weekly, repeat: 'monthly', monthlyOn: 'weeks', weeks: [0, 4], weekdaysInMonth: [1, 2] },
  ] as const
  for (const repeat of repeats) {
    const sent = draft({ repeat, participants: ['bob@example.org'], cohosts: ['dan@example.org'] })
    assert.equal(isSameDraft(draftOf(answered(sent)), sent), true, JSON.stringify(repeat))
    assert.deepEqual(
      toMeetingRequest(draftOf(answered(sent)), kolkata, answered(sent)),
      toMeetingRequest(sent, kolkata),
    )
  }
})

test('weekdays are sent as a weekly rule from Monday to Friday, regardless of the former choice', () => {
  const request = toMeetingRequest(
    draft({ repeat: { ...weekly, repeat: 'weekdays', interval: 3, weekdays: [6] } }),
    kolkata,
  )
  const { daysOfWeek, interval } = request.repeatOptions
  assert.deepEqual([daysOfWeek, interval], [[0, 1, 1, 1, 1, 1, 0], 1])
  const everySecond = answered(draft({ repeat: { ...weekly, weekdays: [1, 2, 3, 4, 5], interval: 2 } }))
  assert.equal(draftOf(everySecond).repeat.repeat, 'weekly')
})

test('sends only the chosen kind of end', () => {
  const ended = (ends: MeetingDraft['repeat']['ends']) => {
    const request = toMeetingRequest(draft({ repeat: { ...weekly, ends, endDate: '2027-01-29', count: 5 } }), kolkata)
    return [request.repeatOptions.endDate, request.repeatOptions.count]
  }
  assert.deepEqual(ended('never'), [null, undefined])
  assert.deepEqual(ended('date'), ['2027-01-29T18:29:59.000Z', undefined])
  assert.deepEqual(ended('count'), [null, 5])
})

test('a series that ends after a number of dates is edited by that number', () => {
  const sent = draft({ repeat: { ...weekly, ends: 'count', count: 5 } })
  const meeting = answered(sent, { endDate: '2026-12-25T18:29:59.000Z' })
  const { ends, count, endDate } = draftOf(meeting).repeat
  assert.deepEqual([ends, count, endDate], ['count', 5, '2026-12-25'])
  assert.deepEqual(toMeetingRequest(draftOf(meeting), kolkata, meeting), toMeetingRequest(sent, kolkata))
})

test('a name that was removed is sent as empty, and an address that had none as it is', () => {
  const named = { email: 'Bob@example.org', displayName: 'Bob' }
  const was = { ...answered(draft({})), participants: [named, { email: 'carol@example.org' }] }
  const sent = (participants: readonly string[]) =>
    toMeetingRequest({ ...draftOf(was), participants: [...participants] }, kolkata, was).participants
  assert.deepEqual(sent(['bob@example.org', 'carol@example.org']), [
    { email: 'bob@example.org', displayName: '' },
    'carol@example.org',
  ])
  assert.deepEqual(sent(draftOf(was).participants), ['Bob <Bob@example.org>', 'carol@example.org'])
})

test('sends the chosen reminder', () => {
  for (const reminderMinutes of [null, 0, 45]) {
    const meeting = answered(draft({ reminderMinutes }))
    assert.equal(toMeetingRequest(draftOf(meeting), kolkata, meeting).reminderMinutes, reminderMinutes)
  }
})

test('keeps an unedited end within a day that another client has set', () => {
  const meeting = answered(draft({ repeat: weekly }), { endDate: '2027-01-29T03:00:00.000Z' })
  const same = draftOf(meeting)
  assert.equal(same.repeat.endDate, '2027-01-29')
  assert.equal(toMeetingRequest(same, kolkata, meeting).repeatOptions.endDate, '2027-01-29T03:00:00.000Z')
  const later = { ...same, repeat: { ...same.repeat, endDate: '2027-02-05' } }
  assert.equal(toMeetingRequest(later, kolkata, meeting).repeatOptions.endDate, '2027-02-05T18:29:59.000Z')
})

test('keeps an unedited start in the second instance of a repeated hour', () => {
  const london = 'Europe/London'
  const meeting = {
    ...answered(draft(), { timeZone: 'BST', timeZoneIana: london }),
    startTime: '2026-10-25T01:30:00.000Z',
  }
  const same = draftOf(meeting)
  assert.equal(same.time, '01:30')
  assert.equal(toMeetingRequest(same, london, meeting).startTime, '2026-10-25T01:30:00.000Z')
  assert.equal(toMeetingRequest({ ...same, time: '01:31' }, london, meeting).startTime, '2026-10-25T00:31:00.000Z')
})

test('reports each violation before a request is sent', () => {
  assert.deepEqual(validateDraft(draft(), kolkata), {})
  const wrong = draft({ topic: ' ', date: '', time: '', durationMs: 0, participants: ['bob'], cohosts: ['x@'] })
  assert.deepEqual(validateDraft(wrong, 'Mars/Olympus'), {
    topic: 'topicMissing',
    date: 'dateMissing',
    time: 'timeMissing',
    durationMs: 'durationMissing',
    timeZone: 'unknownZone',
    participants: 'wrongAddresses',
    cohosts: 'wrongAddresses',
  })
  const violationsOf = (repeat: Partial<MeetingDraft['repeat']>) =>
    validateDraft(draft({ repeat: { ...weekly, ...repeat } }), kolkata)
  assert.deepEqual(violationsOf({ weekdays: [], interval: 100, ends: 'date', endDate: '2026-11-26' }), {
    'repeat.interval': 'intervalWrong',
    'repeat.weekdays': 'noWeekday',
    'repeat.endDate': 'endsBeforeStart',
  })
  assert.deepEqual(violationsOf({ interval: 99, ends: 'date', endDate: '2026-11-27' }), {})
  assert.deepEqual(violationsOf({ ends: 'date', endDate: '' }), { 'repeat.endDate': 'endMissing' })
  assert.deepEqual(violationsOf({ ends: 'count', count: 0, endDate: '2026-11-26' }), { 'repeat.count': 'countWrong' })
  assert.deepEqual(violationsOf({ ends: 'count', count: 1000 }), {})
  assert.deepEqual(violationsOf({ ends: 'count', count: 1001 }), { 'repeat.count': 'countWrong' })
  assert.deepEqual(violationsOf({ repeat: 'monthly', dateInMonth: 32 }), { 'repeat.dateInMonth': 'dateInMonthWrong' })
  assert.deepEqual(violationsOf({ repeat: 'monthly', monthlyOn: 'weeks', weeks: [], weekdaysInMonth: [] }), {
    'repeat.weeks': 'noWeek',
    'repeat.weekdaysInMonth': 'noWeekday',
  })
  const lasts = (durationMs: number) => validateDraft(draft({ durationMs }), kolkata).durationMs
  assert.deepEqual([lasts(86_400_000), lasts(86_400_001)], [undefined, 'durationTooLong'])
})

test('shows a violation from the server at its field', () => {
  const pointers = [
    '/topic',
    '/startTime',
    '/participants/3',
    '/repeatOptions/timeZone',
    '/repeatOptions',
    '/isPinEnabled',
  ]
  assert.deepEqual(
    pointers.map((path) => fieldOf(path, draft())),
    ['topic', 'date', 'participants', 'timeZone', 'repeat.repeat', undefined],
  )
  assert.equal(fieldOf('/repeatOptions/daysOfWeek', draft({ repeat: weekly })), 'repeat.weekdays')
})

const inZone = (zone: string) => ({ timeZone: zone, zoneId: zone, defaults: usualMeetingDefaults })

test('starts at the minute of a chosen slot, otherwise at the next half hour', () => {
  const now = new Date('2030-01-07T08:10:00Z')
  const { date, time } = newDraft(now, {
    ...inZone('Asia/Kathmandu'),
    chosenStart: '2030-01-08T03:15:00.000Z',
  })
  assert.deepEqual([date, time], ['2030-01-08', '09:00'])
  assert.equal(newDraft(now, inZone('UTC')).time, '08:30')
})

const meeting = (changes: object = {}, repeatOptions: object = {}) =>
  ({
    topic: 'Stand-up',
    description: 'Bring numbers.',
    startTime: '2030-01-07T09:00:00.000Z',
    scheduledDuration: 1_800_000,
    participants: [{ email: 'bob@example.org' }],
    cohosts: ['carol@example.org'],
    advancedOptions: { ...advancedOptionDefaults, waitingRoom: true },
    reminderMinutes: 60,
    ...changes,
    repeatOptions: {
      repeat: 'none',
      interval: null,
      dateInMonth: 0,
      lastDayOfMonth: false,
      endDate: null,
      count: null,
      daysOfWeek: [0, 0, 0, 0, 0, 0, 0],
      weeksInMonth: [0, 0, 0, 0, 0],
      timeZone: 'Europe/London',
      timeZoneIana: 'Europe/London',
      ...repeatOptions,
    },
  }) as unknown as SingleMeetingReply

const dateOf = (now: string, copied = meeting()) => copiedDraft(copied, new Date(now)).date

test('copies everything except the date', () => {
  const { topic, description, time, durationMs, participants, cohosts, options, reminderMinutes } = copiedDraft(
    meeting(),
    new Date('2030-03-01T00:00:00Z'),
  )
  assert.deepEqual([topic, description, time, durationMs], ['Stand-up', 'Bring numbers.', '09:00', 1_800_000])
  assert.deepEqual([participants, cohosts], [['bob@example.org'], ['carol@example.org']])
  assert.deepEqual([options.waitingRoom, reminderMinutes], [true, 60])
})

test('keeps a future date, and moves a past one to the next same weekday', () => {
  assert.equal(dateOf('2030-01-07T08:59:59Z'), '2030-01-07')
  assert.equal(dateOf('2030-01-07T09:00:00Z'), '2030-01-14')
  assert.equal(dateOf('2030-01-14T08:59:59Z'), '2030-01-14')
  assert.equal(dateOf('2030-01-14T09:00:00Z'), '2030-01-21')
  // Daylight saving time has begun: 09:00 is an hour earlier than whole weeks later.
  assert.equal(dateOf('2030-04-01T08:30:00Z'), '2030-04-08')
  assert.equal(dateOf('2040-01-01T00:00:00Z'), '2040-01-02')
})

test('moves the end of a series with its start', () => {
  const weekly = {
    repeat: 'weekly',
    interval: 1,
    daysOfWeek: [0, 1, 0, 0, 0, 0, 0],
    endDate: '2030-01-28T23:59:59.000Z',
  }
  const { date, repeat } = copiedDraft(meeting({}, weekly), new Date('2030-02-01T00:00:00Z'))
  assert.deepEqual([date, repeat.endDate, repeat.ends], ['2030-02-04', '2030-02-25', 'date'])
})

const anyone = { loggedInOnly: false, colleagueOnly: false, isRestrictedMeeting: false }

test('each choice is read as it was set', () => {
  for (const choice of entryChoices) assert.equal(entryChoiceOf(withEntryChoice(anyone, choice)), choice)
})

test('keeps what another client has set beyond the choice', () => {
  const sent = { ...anyone, isRestrictedMeeting: true, loggedInOnly: true }
  assert.equal(entryChoiceOf(sent), 'invited')
  assert.deepEqual(withEntryChoice(sent, 'invited'), sent)
  assert.deepEqual(withEntryChoice(sent, 'anyone'), anyone)
  assert.equal(entryChoiceOf({ loggedInOnly: true, colleagueOnly: true, isRestrictedMeeting: false }), 'organisation')
})

test('a preset of a series is read as it was chosen, and begins at an interval of 1', () => {
  const draft = { ...repeatFrom('2026-11-24'), repeat: 'weekly', interval: 3 } as const
  for (const preset of presetsOn('2026-11-24', draft)) assert.equal(presetOf(withPreset(draft, preset)), preset)
  assert.equal(withPreset(draft, 'weekly'), draft)
  const { interval, repeat, weeks, weekdaysInMonth } = withPreset(draft, 'monthly-weeks')
  assert.deepEqual([interval, repeat, weeks, weekdaysInMonth], [1, 'monthly', [3], [2]])
})

test('the last day of the month is offered on such a day, and where it is chosen', () => {
  const offers = (date: string, draft = repeatFrom(date)) => presetsOn(date, draft).includes('monthly-last-day')
  assert.deepEqual([offers('2026-11-29'), offers('2026-11-30'), offers('2028-02-29')], [false, true, true])
  assert.ok(offers('2026-11-29', withPreset(repeatFrom('2026-11-29'), 'monthly-last-day')))
})

test('a new draft begins with what the person has chosen for new meetings', () => {
  const advancedOptions = { ...advancedOptionDefaults, waitingRoom: true }
  const defaults = { durationMinutes: 45, sendUpdates: 'none', advancedOptions } as const
  const draft = newDraft(new Date('2026-11-27T08:10:00Z'), { ...inZone('UTC'), defaults })
  assert.equal(draft.durationMs, 45 * 60_000)
  assert.equal(draft.options.waitingRoom, true)
  assert.equal(draft.tellsParticipants, false)
})
