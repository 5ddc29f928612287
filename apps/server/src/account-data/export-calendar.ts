import type { Caller } from '../access/caller.ts'
import type { Service } from '../access/service.ts'
import { findAccount } from '../accounts/account/account-store.ts'
import { CalendarBudget, exportLimits } from '../invitations/calendar/calendar-budget.ts'
import type { CalendarInput } from '../invitations/calendar/calendar-input.ts'
import { streamFeed } from '../invitations/calendar/compose-calendar.ts'
import { seriesTakingPlace } from '../invitations/calendar-feed-meetings.ts'
import { publishedMeeting } from '../invitations/calendar-meeting-input.ts'
import { wordsIn } from '../invitations/words/in-language.ts'
import { findExceptions } from '../meetings/exception-store.ts'
import { findAnyMeeting } from '../meetings/meeting-store.ts'
import type { Database } from '../platform/database/database.ts'
import { calendarSections, rowsOf } from './export-sections.ts'

/** More than calendar programs take in; the export as JSON has all of them. */
const maxMeetings = 10_000
const refreshMs = 24 * 60 * 60 * 1000

/**
 * Export the caller's past and future meetings, hosted ones first, without cancelled ones. Each is read when those before
 * it have been sent.
 */
export async function* exportCalendar(
  database: Database,
  service: Pick<Service, 'encryption' | 'config'>,
  caller: Caller,
): AsyncGenerator<string> {
  const account = await findAccount(database, caller.accountId)
  const words = wordsIn(account?.language || 'en')
  async function* inputs(): AsyncGenerator<CalendarInput> {
    let count = 0
    for (const [name, section] of Object.entries(calendarSections)) {
      for await (const { id } of rowsOf(database, caller, section)) {
        if (count >= maxMeetings) return
        const meeting = await findAnyMeeting(database, String(id))
        const series = meeting && seriesTakingPlace(meeting, await findExceptions(database, meeting.id))
        if (series === undefined || meeting === undefined) continue
        count++
        yield publishedMeeting(service, words, meeting, series, { seesHostAddress: name !== 'added', invitedAs: null })
      }
    }
  }
  const description = words.exportIsLimited(maxMeetings, exportLimits.bytes / 1e6)
  yield* streamFeed({ name: 'Parley', description, refreshMs }, inputs(), new CalendarBudget(exportLimits))
}
