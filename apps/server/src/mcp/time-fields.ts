import { readTimeZoneField } from '@parley/rules/recurrence/time-zone'
import { momentIn, readWallTime, writeDate, writeTimeOfDay } from '@parley/rules/recurrence/wall-time'
import type { Reading } from '@parley/rules/text/reading'
import { violationAt } from '@parley/rules/text/violation'
import { type TSchemaOptions, Type } from 'typebox'
import { invalidRequest } from '../platform/http/problem.ts'
import type { ToolContext } from './tool.ts'

/** A time in arguments: what the clock shows. */
export const wallTime = (description: string) =>
  Type.String({
    maxLength: 64,
    description: `${description}: what the clock shows in timeZone, without an offset. A time that a clock change skips or repeats is refused with what to ask the person`,
    examples: ['2027-03-29T09:00'],
  })

/** A time zone in arguments. */
export const zoneName = (description: string) =>
  Type.String({ maxLength: 64, description, examples: ['Europe/Berlin'] })

/** A time in results, both as people say it and as programs compare it. */
export const moment = (options: TSchemaOptions = {}) =>
  Type.Object(
    {
      weekday: Type.String({ description: 'Day of the week in timeZone', examples: ['Monday'] }),
      local: Type.String({ description: 'What the clock shows in timeZone', examples: ['2027-03-29T09:00'] }),
      timeZone: Type.String({ description: 'IANA time zone', examples: ['Europe/Berlin'] }),
      offset: Type.String({ description: 'Offset from UTC then', examples: ['+02:00'] }),
      utc: Type.String({ format: 'date-time', description: 'The same in UTC', examples: ['2027-03-29T07:00:00.000Z'] }),
    },
    options,
  )

/** `@throws` invalid_request for what is refused. */
export function accept<Value>(reading: Reading<Value>): Value {
  if (reading.violations !== undefined) throw invalidRequest(reading.violations)
  return reading.value
}

type Zones = Pick<ToolContext, 'caller' | 'timeZoneAliases'>

/** The zone that a person named, else that of their profile; undefined where they have set none. */
export function findZone({ caller, timeZoneAliases }: Zones, named: string | undefined): string | undefined {
  const text = named ?? caller.timeZone
  return text === '' ? undefined : accept(readTimeZoneField('/timeZone', text, timeZoneAliases))
}

/** @throws invalid_request when neither the arguments nor the profile names a zone */
export function requireZone(zones: Zones, named: string | undefined): string {
  const zone = findZone(zones, named)
  if (zone !== undefined) return zone
  const message = 'is missing, and the person’s profile has none: ask for it, and send it, such as Europe/Berlin'
  throw invalidRequest([violationAt('/timeZone', { code: 'required', message })])
}

/** @throws invalid_request */
export const acceptWallTime = (path: string, text: string, timeZone: string): Date =>
  accept(readWallTime(path, text, timeZone))

type Times = { startTime: string; endTime: string }

/** Start and end of an occurrence as the clock of a zone shows them. */
export const momentsOf = ({ startTime, endTime }: Times, timeZone: string) => ({
  start: momentIn(timeZone, new Date(startTime)),
  end: momentIn(timeZone, new Date(endTime)),
})

/** `Monday, 29 March 2027, 09:00–09:30 (Europe/Berlin, +02:00)` */
export function writeTimes(times: Times, timeZone: string): string {
  const { start, end } = momentsOf(times, timeZone)
  const [startMs, endMs] = [start, end].map(({ local }) => Date.parse(`${local}Z`)) as [number, number]
  const [startDate, endDate] = [writeDate(startMs), writeDate(endMs)]
  const until = startDate === endDate ? writeTimeOfDay(endMs) : `${endDate}, ${writeTimeOfDay(endMs)}`
  return `${startDate}, ${writeTimeOfDay(startMs)}–${until} (${timeZone}, ${start.offset})`
}
