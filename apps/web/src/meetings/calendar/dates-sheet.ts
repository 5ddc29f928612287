import { dayOf } from '../../ui/date-time/days.ts'
import { writeSheet, writeSheetTime } from '../sheet.ts'
import type { CalendarDate } from './calendar-dates.ts'

const columns = ['date', 'starts', 'ends', 'topic', 'role', 'answer', 'meetingId'] as const

type SheetWords = {
  column(name: (typeof columns)[number]): string
  role(role: CalendarDate['role']): string
  answer(answer: CalendarDate['response']): string
}

/** Write dates for a spreadsheet, one a line, in the reader's time zone. The end of one that passes midnight has its day. */
export function datesSheet(dates: readonly CalendarDate[], words: SheetWords): string {
  const lines = dates.map(({ startTime, endTime, topic, role, response, svcMeetId }) => {
    const [day, lastDay] = [dayOf(new Date(startTime)), dayOf(new Date(endTime))]
    const end = writeSheetTime(endTime)
    return [
      day,
      writeSheetTime(startTime),
      day === lastDay ? end : `${lastDay} ${end}`,
      topic,
      words.role(role),
      words.answer(response),
      svcMeetId,
    ]
  })
  return writeSheet([columns.map(words.column), ...lines])
}
