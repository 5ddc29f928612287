import { previewMeeting, type Violation } from '@parley/contract'
import { readMeetingRequest } from '@parley/rules/meeting-request'
import { previewSeries } from '@parley/rules/series-preview'
import type { Caller } from '../access/caller.ts'
import type { Service } from '../access/service.ts'
import { invalidRequest } from '../platform/problem.ts'

const usualLimit = 10

/** Shows a form what a rule means while it is filled in, and keeps nothing. */
export function servePreviewMeeting({ serve, config: { timeZoneAliases } }: Service) {
  const read = (body: Times, { timeZone }: Caller) =>
    readMeetingRequest(
      { ...body, topic: 'Preview', description: '', participants: [] },
      { hostAddressKey: '', profileTimeZone: timeZone, timeZoneAliases },
    )
  serve(
    previewMeeting,
    async ({ caller, body: { limit = usualLimit, ...times } }) => {
      const found = read(times, caller)
      if (found.kind === 'refused') throw invalidRequest(found.violations)
      const { startsAt, endsAt, timeZoneIana: timeZone, rule, endsBy } = found.schedule
      const durationMs = endsAt.getTime() - startsAt.getTime()
      const preview = previewSeries({ startsAt, durationMs, timeZone, rule, endsBy, excluded: [] }, limit)
      return {
        timeZoneIana: timeZone,
        occurrences: preview.occurrences.map((occurrence) => ({
          startTime: occurrence.startsAt.toISOString(),
          endTime: occurrence.endsAt.toISOString(),
          localStart: occurrence.localStart,
          utcOffset: writeOffset(occurrence.utcOffsetMinutes),
        })),
        moreAvailable: preview.moreAvailable,
        shifts: preview.shifts.map((shift) => ({
          startTime: shift.startsAt.toISOString(),
          before: writeOffset(shift.beforeMinutes),
          after: writeOffset(shift.afterMinutes),
        })),
      }
    },
    ({ body: { limit: _, ...times }, caller }): readonly Violation[] => {
      const found = read(times, caller)
      return found.kind === 'refused' ? found.violations : []
    },
  )
}

type Times = Pick<Parameters<typeof readMeetingRequest>[0], 'startTime' | 'endTime' | 'repeatOptions'>

/** `+05:30`; before clocks were set by the hour, with seconds. */
function writeOffset(minutes: number): string {
  const seconds = Math.round(Math.abs(minutes) * 60)
  const parts = [
    Math.trunc(seconds / 3600),
    Math.trunc(seconds / 60) % 60,
    ...(seconds % 60 === 0 ? [] : [seconds % 60]),
  ]
  return (minutes < 0 ? '-' : '+') + parts.map((part) => String(part).padStart(2, '0')).join(':')
}
