import { exportOwnData } from '@parley/contract'
import { audit } from '../access/audit.ts'
import type { Caller } from '../access/caller.ts'
import { findAccount } from '../accounts/account/account-store.ts'
import { findOwnPhoto } from '../accounts/account/photo-store.ts'
import { viewOwnProfile } from '../accounts/account/profile.ts'
import type { Dependencies } from '../accounts/dependencies.ts'
import { CalendarBudget, exportLimits } from '../invitations/calendar/calendar-budget.ts'
import type { CalendarInput } from '../invitations/calendar/calendar-input.ts'
import { streamFeed } from '../invitations/calendar/compose-calendar.ts'
import { publishedMeeting } from '../invitations/calendar-meeting-input.ts'
import { seriesTakingPlace } from '../invitations/calendar-meeting-store.ts'
import { findExceptions } from '../meetings/exception-store.ts'
import { findAnyMeeting } from '../meetings/meeting-store.ts'
import { type Database, inTransaction } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'
import type { Platform } from '../platform/platform.ts'
import { textsIn } from '../platform/texts.ts'
import { calendarSections, rowsAsJson, rowsOf, sections } from './export-sections.ts'

/** Export the caller's data. The reply is streamed, because an account may have scheduled for years. */
export function registerDataExport(service: Dependencies) {
  const { serve, clock, random, attemptLimits } = service
  serve(exportOwnData, {
    handle: async ({ caller, query: { format = 'json' }, request, database }) => {
      const now = clock.now()
      await attemptLimits.countOrRefuse('exportsOfAccount', caller.accountId)
      const entry = { tenantId: caller.tenantId, actorId: caller.accountId, subjectId: caller.accountId }
      await inTransaction(database, (tx) =>
        audit(tx, random, now, { ...entry, action: 'account.exported', detail: { format }, address: request.address }),
      )
      const fileName = `parley-${now.toISOString().slice(0, 10)}.${format}`
      return format === 'ics'
        ? { mediaType: 'text/calendar', fileName, lines: exportCalendar(database, service, caller) }
        : { mediaType: 'application/json', fileName, lines: exportDocument(database, service, caller, now) }
    },
  })
}

/** Generate the export as JSON, one row per line. */
async function* exportDocument(
  database: Database,
  service: Dependencies,
  caller: Caller,
  now: Date,
): AsyncGenerator<string> {
  const { config } = service
  const account = await findAccount(database, caller.accountId)
  if (account === undefined) throw problem('unauthorized')
  const lastSeenOn = account.lastSeenAt?.toISOString() ?? null
  const profile = { ...(await viewOwnProfile(service, database, caller, account)), lastSeenOn }
  const photo = await findOwnPhoto(database, account.id)
  const head = {
    format: 'parley-export',
    version: 1,
    service: config.baseUrl,
    exportedOn: now,
    profile,
    photo: photo === undefined ? null : { mediaType: photo.mediaType, image: photo.bytes.toString('base64') },
  }
  yield JSON.stringify(head).slice(0, -1)
  for (const [name, read] of Object.entries(sections)) {
    yield `,\n${JSON.stringify(name)}:[`
    yield* rowsAsJson(database, caller, read)
    yield ']'
  }
  yield '}\n'
}

/** More than calendar programs take in; the export as JSON has all of them. */
const maxMeetings = 10_000
const refreshMs = 24 * 60 * 60 * 1000

/**
 * Export the caller's past and future meetings, hosted ones first, without cancelled ones. Each is read when those before
 * it have been sent.
 */
async function* exportCalendar(
  database: Database,
  service: Pick<Platform, 'encryption' | 'config'>,
  caller: Caller,
): AsyncGenerator<string> {
  const account = await findAccount(database, caller.accountId)
  const t = textsIn(account?.language || 'en', 'invitation-emails')
  async function* inputs(): AsyncGenerator<CalendarInput> {
    let count = 0
    for (const [name, section] of Object.entries(calendarSections)) {
      for await (const { id } of rowsOf(database, caller, section)) {
        if (count >= maxMeetings) return
        const meeting = await findAnyMeeting(database, String(id))
        const series = meeting && seriesTakingPlace(meeting, await findExceptions(database, meeting.id))
        if (series === undefined || meeting === undefined) continue
        count++
        yield publishedMeeting(service, t, meeting, series, { seesHostAddress: name !== 'added', invitedAs: null })
      }
    }
  }
  const description = t('exportIsLimited', { maxMeetings, maxMegabytes: exportLimits.bytes / 1e6 })
  yield* streamFeed({ name: 'Parley', description, refreshMs }, inputs(), new CalendarBudget(exportLimits))
}
