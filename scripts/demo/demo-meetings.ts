import {
  type BodyOf,
  cancelMeeting,
  createMeeting,
  type InvitationResponse,
  listOccurrences,
  respondToMeeting,
} from '@parley/contract'
import { type DemoPeople, type DemoPerson, emailOf } from './people.ts'

type MeetingRequest = BodyOf<typeof createMeeting>

type Plan = {
  topic: string
  description?: string
  /** On the wall clock of the time zone. */
  date: Temporal.PlainDate
  time: string
  durationMinutes: number
  timeZone: string
  participants?: string[]
  cohosts?: string[]
  repeat?: Partial<MeetingRequest['repeatOptions']> & Pick<MeetingRequest['repeatOptions'], 'repeat'>
  options?: MeetingRequest['advancedOptions']
}

/** Create meetings of every kind around today: past ones, series across a clock change, cancelled ones. */
export async function makeMeetings(
  { alice, bob, carol, dan }: DemoPeople,
  today: Temporal.PlainDate,
): Promise<{ kickOff: HeldMeeting }> {
  const monday = today.subtract({ days: today.dayOfWeek - 1 })
  const team = [emailOf('bob'), emailOf('carol'), emailOf('dan')]
  const london = { time: '09:00', durationMinutes: 30, timeZone: 'Europe/London' }

  const standUp = await schedule(alice, {
    ...london,
    topic: 'Stand-up',
    description: 'What did you do, what will you do, what is in the way?',
    date: monday.subtract({ weeks: 2 }),
    participants: team,
    cohosts: [emailOf('bob')],
    // It has no end, so it takes place at nine across both clock changes of the year.
    repeat: { repeat: 'weekly', daysOfWeek: [0, 1, 1, 1, 1, 1, 0] },
  })
  await skipNext(alice, standUp, 2)
  await answer(bob, standUp, 'accepted')
  await answer(carol, standUp, 'tentative')
  await answer(dan, standUp, 'declined')
  const review = await schedule(alice, {
    ...london,
    topic: 'Month in review',
    time: '16:00',
    durationMinutes: 60,
    date: monday,
    participants: team,
    repeat: { repeat: 'monthly', weeksInMonth: [0, 0, 0, 0, 1], daysOfWeek: [0, 0, 0, 0, 0, 1, 0] },
  })
  await answer(bob, review, 'accepted')
  await answer(dan, review, 'accepted')
  await schedule(alice, {
    ...london,
    topic: 'Books are closed',
    time: '17:30',
    date: monday,
    participants: [emailOf('olga')],
    repeat: { repeat: 'monthly', lastDayOfMonth: true },
    options: { isRestrictedMeeting: true },
  })
  await schedule(alice, {
    ...london,
    topic: 'Interview',
    date: today.add({ days: 1 }),
    time: '14:00',
    durationMinutes: 45,
    participants: ['candidate@example.com'],
    options: { waitingRoom: true, joinBeforeHost: false },
  })
  const kickOffDate = today.subtract({ days: 9 })
  const kickOff = await schedule(alice, { ...london, topic: 'Kick-off', date: kickOffDate, participants: team })
  const party = await schedule(alice, {
    ...london,
    topic: 'Summer party',
    date: today.add({ days: 12 }),
    time: '18:00',
    durationMinutes: 240,
    participants: [...team, emailOf('rita')],
  })
  await cancel(alice, party)
  const course = await schedule(alice, {
    ...london,
    topic: 'Course: public speaking',
    date: monday.subtract({ weeks: 3 }),
    time: '12:00',
    participants: [emailOf('carol')],
    repeat: { repeat: 'weekly', daysOfWeek: [0, 0, 0, 1, 0, 0, 0] },
  })
  await cancel(alice, course)
  const call = await schedule(bob, {
    topic: 'Release call',
    date: today.add({ days: 2 }),
    time: '18:30',
    durationMinutes: 60,
    timeZone: 'IST',
    participants: [emailOf('alice'), emailOf('dan')],
    options: { loggedInOnly: true },
    repeat: { repeat: 'weekly', interval: 2, daysOfWeek: daysWith(today.add({ days: 2 })) },
  })
  await answer(alice, call, 'accepted')
  const start = kickOffDate.toZonedDateTime({ timeZone: london.timeZone, plainTime: london.time }).toInstant()
  return { kickOff: { meetingId: kickOff, start } }
}

export type HeldMeeting = { meetingId: string; start: Temporal.Instant }

/** A meeting that begins with the demo, so that opening its link starts a call at once. */
export async function scheduleForNow({ alice }: DemoPeople, now: Temporal.Instant): Promise<void> {
  const start = now.toZonedDateTimeISO('Europe/London').round({ smallestUnit: 'minute', roundingMode: 'ceil' })
  await schedule(alice, {
    topic: 'Open office hour',
    description: 'Come in, look around, try camera and microphone.',
    date: start.toPlainDate(),
    time: start.toPlainTime().toString(),
    durationMinutes: 120,
    timeZone: 'Europe/London',
    participants: [emailOf('bob'), emailOf('carol'), emailOf('dan')],
  })
}

const answer = ({ client }: DemoPerson, meetingId: string, response: InvitationResponse) =>
  client.call(respondToMeeting, { params: { meetingId }, body: { response } })

const daysWith = ({ dayOfWeek }: Temporal.PlainDate): number[] =>
  Array.from({ length: 7 }, (_, day) => (day === dayOfWeek % 7 ? 1 : 0))

const zones: Record<string, string> = { IST: 'Asia/Kolkata' }

/** @returns the meeting's id */
async function schedule({ client }: DemoPerson, plan: Plan): Promise<string> {
  const zone = zones[plan.timeZone] ?? plan.timeZone
  const start = plan.date.toZonedDateTime({ timeZone: zone, plainTime: plan.time })
  const { meetingDetails } = await client.call(createMeeting, {
    body: {
      topic: plan.topic,
      description: plan.description ?? '',
      startTime: start.toInstant().toString(),
      endTime: start.add({ minutes: plan.durationMinutes }).toInstant().toString(),
      participants: plan.participants ?? [],
      ...(plan.cohosts && { cohosts: plan.cohosts }),
      advancedOptions: plan.options ?? {},
      isPinEnabled: true,
      repeatOptions: { repeat: 'none', ...plan.repeat, timeZone: plan.timeZone },
    },
  })
  return meetingDetails._id
}

/** Cancel the occurrence this many dates ahead. */
async function skipNext({ client }: DemoPerson, meetingId: string, ahead: number): Promise<void> {
  const { occurrences } = await client.call(listOccurrences, { params: { meetingId }, query: { limit: ahead + 1 } })
  const occurrence = occurrences.at(-1)?.startTime
  if (occurrence === undefined) throw new Error('The series has no dates ahead')
  await client.call(cancelMeeting, { params: { meetingId }, body: { cancel: 'current', occurrence } })
}

const cancel = ({ client }: DemoPerson, meetingId: string) =>
  client.call(cancelMeeting, { params: { meetingId }, body: { cancel: 'all' } })
