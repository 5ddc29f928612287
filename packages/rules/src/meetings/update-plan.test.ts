import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rightsOfRole } from './meeting-rights.ts'
import { planUpdate } from './update-plan.ts'

const at = (text: string) => new Date(`2030-01-${text}Z`)
const now = at('01T00:00:00')

const person = (name: string, { cohost = false } = {}) => ({
  email: `${name}@example.org`,
  addressKey: `${name}@example.org`,
  invited: true,
  cohost,
})

const options = {
  hostVideo: true,
  participantVideo: true,
  hostAudio: true,
  participantAudio: true,
  participantHardAudioMute: false,
  waitingRoom: false,
  joinBeforeHost: true,
  isRestrictedMeeting: false,
  loggedInOnly: false,
  colleagueOnly: false,
}

type Requested = Parameters<typeof planUpdate>[1]
const schedule: Requested['schedule'] = {
  topic: 'Planning',
  description: 'Agenda',
  location: 'Room 5',
  startsAt: at('07T09:00:00'),
  endsAt: at('07T10:00:00'),
  timeZone: 'UTC',
  timeZoneIana: 'UTC',
  rule: { repeat: 'weekly', interval: 1, daysOfWeek: [0, 1, 0, 0, 0, 0, 0] },
  endsBy: null,
  participants: [person('bob'), person('carol', { cohost: true })],
  reminderMinutes: 10,
}

const { participants, ...fields } = schedule
const row: Parameters<typeof planUpdate>[0] = {
  ...fields,
  options,
  people: participants,
  hostAddressKey: 'alice@example.org',
  sequence: 4,
  stateSequence: 3,
  exceptions: { cancelled: [at('14T09:00:00')], changed: [] },
  droppedDates: [],
}

const asHost = rightsOfRole('host', false)
const update = (changes: Partial<typeof schedule>, more: Partial<Requested> = {}, rights = asHost, of = row) =>
  planUpdate(
    of,
    { schedule: { ...schedule, ...changes }, options, sent: { cohosts: [], reminderMinutes: 10 }, ...more },
    rights,
    now,
  )

/** The parts of a plan that say which consequences a change has. */
function effectsOf(plan: ReturnType<typeof planUpdate>) {
  if (plan.kind !== 'change') return plan.kind
  const { sequence, stateSequence, asksAgain, movesReminder, reconcilesRoom, removesCohost } = plan
  const flags = { asksAgain, movesReminder, reconcilesRoom, removesCohost, mails: plan.notices.isContentChanged }
  const set = Object.entries(flags).flatMap(([name, isSet]) => (isSet ? [name] : []))
  return [`${sequence}/${stateSequence}`, plan.event?.changed.join(' ') ?? '', ...set]
}

const carol = person('carol', { cohost: true })
const cases: readonly [string, ReturnType<typeof planUpdate>, ReturnType<typeof effectsOf>][] = [
  ['nothing', update({}), ['4/3', '']],
  ['the topic', update({ topic: 'Review' }), ['5/5', 'topic', 'mails']],
  ['the description', update({ description: '' }), ['5/5', 'description', 'mails']],
  ['a location that is not sent stays', update({ location: '' }), ['4/3', '']],
  [
    'the location, emptied',
    update({ location: '' }, { sent: { cohosts: [], reminderMinutes: 10, location: '' } }),
    ['5/5', 'location', 'mails'],
  ],
  [
    'the time',
    update({ startsAt: at('07T11:00:00'), endsAt: at('07T12:00:00') }),
    ['5/5', 'startTime endTime', 'asksAgain', 'movesReminder', 'mails'],
  ],
  [
    'the rule',
    update({ rule: { repeat: 'daily', interval: 1 } }),
    ['5/5', 'repeatOptions', 'asksAgain', 'movesReminder', 'mails'],
  ],
  ['the name of the zone alone', update({ timeZone: 'Etc/UTC' }), ['4/3', 'timeZone']],
  ['the reminder', update({ reminderMinutes: 5 }), ['4/3', 'reminderMinutes', 'movesReminder']],
  ['a reminder that is not sent stays', update({ reminderMinutes: null }, { sent: { cohosts: [] } }), ['4/3', '']],
  ['a reminder of null is the default', update({ reminderMinutes: null }), ['4/3', 'reminderMinutes', 'movesReminder']],
  [
    'an option that keeps people out',
    update({}, { options: { ...options, loggedInOnly: true } }),
    ['4/3', 'advancedOptions', 'reconcilesRoom'],
  ],
  ['another option', update({}, { options: { ...options, waitingRoom: true } }), ['4/3', 'advancedOptions']],
  ['a new guest', update({ participants: [person('bob'), carol, person('dave')] }), ['5/3', 'participants']],
  ['a guest who is removed', update({ participants: [carol] }), ['5/3', 'participants']],
  [
    'a new cohost',
    update({ participants: [person('bob', { cohost: true }), carol] }),
    ['4/3', 'cohosts', 'reconcilesRoom'],
  ],
  [
    'a cohost who is removed',
    update({ participants: [person('bob'), person('carol')] }),
    ['4/3', 'cohosts', 'reconcilesRoom', 'removesCohost'],
  ],
  [
    'cohosts who are not sent stay',
    update({ participants: [person('bob'), person('carol')] }, { sent: { reminderMinutes: 10 } }),
    ['4/3', ''],
  ],
  [
    'cohosts stay without the right to name them',
    update({ participants: [person('bob'), person('carol')] }, {}, rightsOfRole('none', true)),
    ['4/3', ''],
  ],
  ['the host among the guests', update({ participants: [...participants, person('alice')] }), ['4/3', '']],
  ['the order of people', update({ participants: [carol, person('bob')] }), ['4/3', '']],
]
for (const [what, plan, effects] of cases)
  test(`an update of ${what}`, () => assert.deepEqual(effectsOf(plan), effects))

test('cancelled dates move with the time of day, and those without a date are dropped', () => {
  const moved = update({ startsAt: at('07T11:00:00'), endsAt: at('07T12:00:00') })
  assert.ok(moved.kind === 'change')
  assert.deepEqual(moved.exceptions.cancelled, [at('14T11:00:00')])
  const tuesdays = update({ rule: { repeat: 'weekly', interval: 1, daysOfWeek: [0, 0, 1, 0, 0, 0, 0] } })
  assert.ok(tuesdays.kind === 'change')
  assert.deepEqual(tuesdays.exceptions.cancelled, [])
  assert.deepEqual(
    tuesdays.cancellations.dropped.map(({ localDate }) => localDate),
    ['2030-01-14'],
  )
})

test('a rule whose only dates are cancelled is refused', () => {
  const plan = update({ startsAt: at('14T09:00:00'), endsAt: at('14T10:00:00'), endsBy: at('14T23:00:00') })
  assert.equal(plan.kind, 'no-occurrence')
})

test('people who were not on the meeting are added', () => {
  const plan = update({ participants: [...participants, person('dave')] })
  assert.ok(plan.kind === 'change')
  assert.deepEqual(plan.added, [person('dave')])
})

test('the values end with the last date; a series without an end has none', () => {
  const endless = update({ topic: 'Review' })
  const ended = update({ endsBy: at('21T23:00:00') })
  assert.ok(endless.kind === 'change' && ended.kind === 'change')
  assert.equal(endless.values.overAt, 'infinity')
  assert.deepEqual(ended.values.overAt, at('21T10:00:00'))
})
