import type { Series } from '@parley/rules/recurrence/recurrence'
import type { Service } from '../access/service.ts'
import { senderOf } from '../email/mail.ts'
import { decryptSecrets } from '../meetings/meeting-secrets.ts'
import { joinLink } from '../meetings/meeting-view.ts'
import type { CalendarInput } from './calendar/calendar-input.ts'
import type { CalendarMeeting } from './calendar-feed-meetings.ts'
import { guestReplyAddress } from './guest-token.ts'
import { groupedCode } from './invitation-email-document.ts'
import { calendarUid } from './message-ids.ts'
import type { Words } from './words/words.ts'

/**
 * A meeting for a feed, with the UID of the mails and the time of its last change as the stamp, so that an unchanged
 * meeting gives the same text.
 */
export function publishedMeeting(
  { encryption, config: { baseUrl, mailFrom } }: Pick<Service, 'encryption' | 'config'>,
  words: Words,
  meeting: CalendarMeeting,
  series: Series,
  reader: {
    /** People who have a meeting by its link alone may not see the host's address. */
    seesHostAddress: boolean
    /**
     * The ORGANIZER of a guest's emails, which takes answers in their name: for the guest's own sessions only, not for
     * what apps, tokens and the addresses of calendars read.
     */
    invitedAs: AnsweringReader | null
    /** A guest's own line. A feed has none (RFC 5546, 3.2.1). */
    attendee?: CalendarInput['attendee']
  },
): CalendarInput {
  const { pin } = decryptSecrets(encryption, meeting)
  const link = joinLink(baseUrl, meeting.code, pin)
  const { name, lname, email } = meeting.host
  const { address } = senderOf(mailFrom)
  const organizer = reader.seesHostAddress
    ? { email, sentBy: address, ...answersTo(encryption, meeting, reader.invitedAs) }
    : { email: address }
  return {
    method: 'PUBLISH',
    uid: calendarUid(meeting.id, baseUrl),
    sequence: meeting.sequence,
    stamp: meeting.modifiedAt,
    organizer: { name: `${name} ${lname}`.trim(), ...organizer },
    attendee: reader.attendee ?? null,
    topic: meeting.topic,
    description: meeting.description,
    entrance: describeEntrance(words, { link, code: meeting.code, pin }),
    cutNotice: words.textIsCut(link),
    location: link,
    url: link,
    conference: { label: words.join, address: link },
    series,
    status: 'CONFIRMED',
  }
}

/** Where this guest's answers go, unless it is to the host. */
export const answersTo = (
  encryption: Service['encryption'],
  { id: meetingId, replyAddress }: { id: string; replyAddress: string | null },
  guest: AnsweringReader | null,
): { answersTo?: string } =>
  replyAddress === null || guest === null
    ? {}
    : { answersTo: guestReplyAddress(encryption, replyAddress, { meetingId, ...guest }) }

/** A guest, and the generation of their reply addresses. */
type AnsweringReader = { addressKey: string; replyGeneration: string }

/** How to join. */
export const describeEntrance = (
  words: Pick<Words, 'join' | 'fields'>,
  { link, code, pin }: { link: string; code: string; pin: string },
): string => `${words.join}: ${link}\n${words.fields.link}: ${groupedCode(code)}\n${words.fields.pin}: ${pin}`
