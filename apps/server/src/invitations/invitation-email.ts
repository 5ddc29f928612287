import type { InvitationResponse } from '@parley/contract'
import type { CalendarState, InvitationEmailKind } from '@parley/rules/invitations/invitation-changes'
import { compareDates } from '@parley/rules/recurrence/carried-dates'
import { nextOccurrence } from '@parley/rules/recurrence/recurrence'
import { readTimeZone } from '@parley/rules/recurrence/time-zone'
import type { Language } from '@parley/texts/languages'
import type { Service } from '../access/service.ts'
import { addLink, joinLink } from '../meetings/meeting-view.ts'
import type { OwnResponse } from '../meetings/occurrence-response-store.ts'
import type { MailContent } from './delivery/plan-delivery.ts'
import { guestToken } from './guest-token.ts'
import { stopLink } from './reminder-stop/stop-link.ts'
import { responseLinkPath } from './responses/response-link.ts'
import { wordsIn } from './words/in-language.ts'
import type { Words } from './words/words.ts'

/** A mail's row, with the profile data that is read when it is sent. */
export type InvitationEmailRow = {
  meetingId: string
  addressKey: string
  email: string
  id: string
  kind: InvitationEmailKind
  sequence: number
  createdAt: Date
  content: MailContent
  host: { name: string; lname: string; email: string; language: Language | '' }
  /** The account with this address, if it is verified: its zone and language are used. */
  reader: { name: string; lname: string; timeZone: string; language: Language | '' } | null
  response: InvitationResponse | null
  ownResponses: readonly OwnResponse[]
  reminderMinutes: number | null
  /** Takes the guests' answers; null where the host does. */
  replyAddress: string | null
  replyGeneration: string
  /** Earlier mails about the meeting to the same person, oldest first. */
  earlier: readonly string[]
}

/** The data from which a mail is written. */
type InvitationEmailContent = CalendarState &
  Omit<MailContent, 'state'> & {
    /** Previously cancelled dates that take place again. */
    restored: readonly Date[]
  }

/** An email with everything that its text, HTML and calendar contain. */
export type InvitationEmail = {
  kind: InvitationEmailKind
  email: string
  content: InvitationEmailContent
  /** When the mail was recorded. Future dates are counted from here, so that each attempt gives the same mail. */
  writtenAt: Date
  language: Language
  words: Words
  /** The reader's time zone, when an account is known. */
  readerTimeZone: string | undefined
  readerName: string | undefined
  hostName: string
  hostEmail: string
  /** Whether it goes to the host, who is not asked to respond. */
  isHost: boolean
  /** Whether no date is left. */
  isOver: boolean
  response: InvitationResponse | null
  ownResponses: readonly OwnResponse[]
  baseUrl: string
  links: { join: string; add: string; answers: Record<InvitationResponse, string>; stopReminders: string }
}

/** Use the reader's language; for a person without an account the host's, who knows whom they invite. */
export function readInvitationEmail(
  { encryption, config }: Pick<Service, 'encryption' | 'config'>,
  row: InvitationEmailRow,
): InvitationEmail {
  const { baseUrl, timeZoneAliases } = config
  const { meetingId, addressKey, host, reader } = row
  const { state, ...rest } = row.content
  const content = { ...state, ...rest, restored: restoredDates(row) }
  const language = reader?.language || host.language || 'en'
  const zone = reader?.timeZone ? readTimeZone(reader.timeZone, timeZoneAliases) : undefined
  // A mail about one occurrence asks about that one.
  const occurrence = row.kind === 'occurrence-update' && content.date !== null ? content.date : undefined
  const answering = { subjectId: meetingId, addressKey, occurrence, replyGeneration: row.replyGeneration }
  const token = guestToken(encryption, 'answer link', answering)
  const stopToken = guestToken(encryption, 'reminder stop link', { subjectId: meetingId, addressKey })
  const link = (answer: InvitationResponse) => `${baseUrl}${responseLinkPath({ meetingId, token, occurrence, answer })}`
  return {
    kind: row.kind,
    email: row.email,
    content,
    writtenAt: row.createdAt,
    language,
    words: wordsIn(language),
    readerTimeZone: zone?.kind === 'known' ? zone.timeZone : undefined,
    readerName: reader === null ? undefined : nameOf(reader),
    hostName: nameOf(host),
    hostEmail: host.email,
    isHost: row.email === host.email,
    isOver: nextOccurrence(content.series, row.createdAt) === undefined,
    response: row.response,
    ownResponses: row.ownResponses,
    baseUrl,
    links: {
      join: joinLink(baseUrl, content.code, content.pin),
      add: addLink(baseUrl, content.code, content.pin),
      answers: { accepted: link('accepted'), tentative: link('tentative'), declined: link('declined') },
      stopReminders: stopLink(baseUrl, meetingId, stopToken),
    },
  }
}

function restoredDates({ content: { state, former }, createdAt }: InvitationEmailRow): Date[] {
  if (former === null) return []
  const { restored } = compareDates(former.series, state.series, former.droppedDates, createdAt)
  return restored.map(({ startsAt }) => startsAt)
}

const nameOf = ({ name, lname }: { name: string; lname: string }) => `${name} ${lname}`.trim()
