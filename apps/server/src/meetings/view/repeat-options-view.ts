import type { MeetingReply } from '@parley/contract'
import { currentTimeZoneName } from '@parley/rules/recurrence/time-zone-name'
import type { MeetingFacts } from '../meeting-row.ts'

const noDays = [0, 0, 0, 0, 0, 0, 0]
const noWeeks = [0, 0, 0, 0, 0]

/** All repeat options, with neutral values for those that the chosen `repeat` does not use. */
export function repeatOptionsView({
  rule,
  endsBy,
  timeZone,
  timeZoneIana,
}: MeetingFacts): MeetingReply['repeatOptions'] {
  const day = rule.repeat === 'monthly' ? rule.on : undefined
  return {
    repeat: rule.repeat,
    interval: rule.repeat === 'none' ? null : rule.interval,
    daysOfWeek: [...(rule.repeat === 'weekly' ? rule.daysOfWeek : day?.kind === 'weeks' ? day.daysOfWeek : noDays)],
    dateInMonth: day?.kind === 'date' ? day.dateInMonth : 0,
    lastDayOfMonth: day?.kind === 'last-day',
    weeksInMonth: [...(day?.kind === 'weeks' ? day.weeksInMonth : noWeeks)],
    endDate: endsBy?.toISOString() ?? null,
    count: rule.count ?? null,
    repeatUntill: null,
    timeZone,
    timeZoneIana: currentTimeZoneName(timeZoneIana),
  }
}
