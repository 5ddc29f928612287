import type { Caller } from '../access/caller.ts'
import type { Service } from '../access/service.ts'
import { findAccount } from '../accounts/account/account-store.ts'
import type { CalendarInput } from '../invitations/calendar/calendar-input.ts'
import { composeFeed } from '../invitations/calendar/compose-calendar.ts'
import { seriesTakingPlace } from '../invitations/calendar-feed-meetings.ts'
import { publishedMeeting } from '../invitations/calendar-meeting-input.ts'
import { wordsIn } from '../invitations/words/in-language.ts'
import { findExceptions } from '../meetings/exception-store.ts'
import { findAnyMeeting } from '../meetings/meeting-store.ts'
import type { Database } from '../tables/tables.ts'
import { rowsOf, sections } from './export-sections.ts'

/** About 20 MB of text, which is composed in memory. */
const maxMeetings = 10_000
const refreshMs = 24 * 60 * 60 * 1000

/** Export the caller's past and future meetings, hosted ones first, without cancelled ones. */
export async function* exportCalendar(
  database: Database,
  service: Pick<Service, 'encryption' | 'config'>,
  caller: Caller,
): AsyncGenerator<string> {
  const account = await findAccount(database, caller.accountId)
  const words = wordsIn(account?.language || 'en')
  const inputs: CalendarInput[] = []
  for (const [name, isAdded] of [
    ['hostedMeetings', false],
    ['invitations', false],
    ['addedMeetings', true],
  ] as const) {
    const read = sections[name]
    if (read === undefined) continue
    for await (const { id } of rowsOf(database, caller, read)) {
      if (inputs.length >= maxMeetings) break
      const meeting = await findAnyMeeting(database, String(id))
      const series = meeting && seriesTakingPlace(meeting, await findExceptions(database, meeting.id))
      if (series !== undefined && meeting !== undefined) {
        const invitedAs = name === 'invitations' ? caller.addressKey : null
        inputs.push(publishedMeeting(service, words, meeting, series, { seesHostAddress: !isAdded, invitedAs }))
      }
    }
  }
  yield composeFeed({ name: 'Parley', refreshMs }, inputs)
}
