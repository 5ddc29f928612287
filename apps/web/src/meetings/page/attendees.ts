import type { RoomSession } from '@parley/contract'
import { dayOf } from '../../ui/date-time/days.ts'
import { writeSheet, writeSheetTime } from '../sheet.ts'

type Stay = RoomSession['stays'][number]

type Attendee = Pick<Stay, 'name' | 'email' | 'role'> & {
  key: string
  presentMs: number
  times: Pick<Stay, 'joinedOn' | 'leftOn'>[]
}

/**
 * List each person once, in the order of arrival. Two guests of one name without an address cannot be told apart: their
 * times are shown together.
 */
export function attendeesOf(stays: readonly Stay[], now: Date): Attendee[] {
  const attendees = new Map<string, Attendee>()
  for (const { name, email, role, joinedOn, leftOn } of stays) {
    const key = email ?? ` ${name}`
    const attendee = attendees.get(key) ?? { key, name, email, role, presentMs: 0, times: [] }
    attendees.set(key, attendee)
    attendee.times.push({ joinedOn, leftOn })
    attendee.presentMs += Math.max(0, (leftOn === null ? now.getTime() : Date.parse(leftOn)) - Date.parse(joinedOn))
  }
  return [...attendees.values()]
}

const attendanceColumns = ['date', 'name', 'email', 'role', 'from', 'to', 'minutes'] as const

type AttendanceWords = {
  column(name: (typeof attendanceColumns)[number]): string
  role(role: Stay['role']): string
  guest: string
}

const minuteMs = 60_000

/** Write the attendance for a spreadsheet: each person once a session, in the reader's time zone. */
export function attendanceSheet(sessions: readonly RoomSession[], words: AttendanceWords, now: Date): string {
  const lines = sessions.flatMap(({ startedOn, stays }) =>
    attendeesOf(stays, now).map(({ name, email, role, presentMs, times }) => [
      dayOf(new Date(startedOn)),
      name === '' ? words.guest : name,
      email ?? '',
      words.role(role),
      writeClock(times[0]?.joinedOn),
      writeClock(times.at(-1)?.leftOn),
      String(Math.round(presentMs / minuteMs)),
    ]),
  )
  return writeSheet([attendanceColumns.map(words.column), ...lines])
}

/** Empty for a person who is still there. */
const writeClock = (time: string | null | undefined): string => (time == null ? '' : writeSheetTime(time))
