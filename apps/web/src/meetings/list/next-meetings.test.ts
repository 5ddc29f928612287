import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DatedMeeting } from './dated-meetings.ts'
import { nextMeetings } from './next-meetings.ts'

const now = new Date('2030-01-07T09:30:00Z')
const dated = (topic: string, from: string, to: string, room?: DatedMeeting['room']): DatedMeeting => ({
  meetingId: topic,
  topic,
  startTime: `2030-01-07T${from}:00Z`,
  endTime: `2030-01-07T${to}:00Z`,
  ...(room !== undefined && { room }),
})
const early = dated('early', '08:00', '08:30')
const runsOver = dated('runs over', '08:00', '09:00', 'occupied')
const running = dated('running', '09:00', '10:00', 'occupied')
const ended = dated('ended', '09:00', '10:00', 'ended')
const quiet = dated('quiet', '09:00', '10:00')
const startsNow = dated('starts now', '09:30', '10:00')
const endsNow = dated('ends now', '09:00', '09:30')
const later = dated('later', '11:00', '12:00')
const startedEarly = dated('started early', '12:00', '13:00', 'occupied')

const rows: [string, DatedMeeting[], Record<string, string[]>][] = [
  ['without meetings', [], { title: [] }],
  ['when all are over', [early, endsNow], { title: [] }],
  ['with several ahead, the next one', [early, later, dated('last', '15:00', '16:00')], { title: ['later'] }],
  ['when a host has ended one, the next one', [ended, later], { title: ['later'] }],
  ['when one should run and its room is empty', [quiet, later], { scheduled: ['quiet'] }],
  ['when one starts at this moment', [startsNow], { scheduled: ['starts now'] }],
  [
    'with several running, all of them',
    [running, dated('second', '09:10', '10:00', 'occupied')],
    { running: ['running', 'second'] },
  ],
  ['when of two that should run one is empty', [quiet, running], { running: ['running'], scheduled: ['quiet'] }],
  ['when one overruns', [runsOver, later], { running: ['runs over'] }],
  ['when one was started early', [later, startedEarly], { running: ['started early'] }],
]

for (const [name, dates, groups] of rows) {
  test(`the meetings to offer ${name}`, () => {
    const found = nextMeetings(dates, now).map(({ kind, meetings }) => [kind, meetings.map(({ topic }) => topic)])
    assert.deepEqual(Object.fromEntries(found), groups)
  })
}
