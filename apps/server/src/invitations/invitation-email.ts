import type { InvitationResponse } from '@parley/contract'
import type { CalendarState, InvitationEmailKind } from '@parley/rules/invitations/invitation-changes'
import { compareDates } from '@parley/rules/recurrence/exclusions'
import { nextOccurrence } from '@parley/rules/recurrence/recurrence'
import { readTimeZone } from '@parley/rules/recurrence/time-zone'
import type { Language } from '@parley/rules/text/language'
import type { Service } from '../access/service.ts'
import { addLink, joinLink } from '../meetings/view/meeting-links.ts'
import { answerLink } from './answer-link.ts'
import type { MailContent } from './delivery/plan-delivery.ts'
import { guestToken } from './guest-token.ts'
import { stopLink } from './reminder-stop/stop-link.ts'
import { wordsIn } from './words/in-language.ts'
import type { Words } from './words/words.ts'

/** One mail as it is kept, and what is read of its people when it is sent. */
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
  /** The account with this address, if it is trusted: in whose zone and language the mail is. */
  reader: { name: string; lname: string; timeZone: string; language: Language | '' } | null
  response: InvitationResponse | null
  reminderMinutes: number | null
  /** Earlier mails about the meeting to the same person, the oldest first. */
  earlier: readonly string[]
}

/** What a mail is written from. */
export type InvitationEmailContent = CalendarState &
  Omit<MailContent, 'state'> & {
    /** Dates that take place again although they had been cancelled. */
    restored: readonly Date[]
  }

/** One letter with all that its text, its HTML and its calendar say. */
export type InvitationEmail = {
  kind: InvitationEmailKind
  email: string
  content: InvitationEmailContent
  /** When the mail was begun: what lies ahead is counted from here, so that a mail is the same at every try. */
  writtenAt: Date
  language: Language
  words: Words
  /** Where the reader's clock stands, when an account is known. */
  readerTimeZone: string | undefined
  readerName: string | undefined
  hostName: string
  hostEmail: string
  /** Whether it goes to the host, whom nobody asks whether they come. */
  isHost: boolean
  /** Whether there is nothing left to come to. */
  isOver: boolean
  response: InvitationResponse | null
  baseUrl: string
  links: { join: string; add: string; answers: Record<InvitationResponse, string>; stopReminders: string }
}

/** The language of whoever reads; of a stranger, the host's: they know whom they invite. */
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
  const token = guestToken(encryption, 'answer link', { meetingId, addressKey })
  const stopToken = guestToken(encryption, 'reminder stop link', { meetingId, addressKey })
  const link = (answer: InvitationResponse) => answerLink(baseUrl, meetingId, token, answer)
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
