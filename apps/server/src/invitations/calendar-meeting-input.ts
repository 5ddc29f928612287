import { mapTexts } from '@parley/contract/meeting-fields'
import type { Series } from '@parley/rules/recurrence/recurrence'
import { senderOf } from '../email/mail.ts'
import { decryptSecrets } from '../meetings/meeting-secrets.ts'
import { joinLink } from '../meetings/meeting-view.ts'
import type { TextsOf } from '../platform/texts.ts'
import type { CalendarInput } from './calendar/calendar-input.ts'
import type { CalendarMeeting } from './calendar-meeting-store.ts'
import type { Dependencies } from './dependencies.ts'
import { guestReplyAddress } from './guest-links.ts'
import { groupedCode } from './invitation-email.ts'

/**
 * Write the UID of a meeting in mails, feeds and files, constant for its life (RFC 5545, 3.8.4.7). The brackets of an IPv6
 * address are valid in it.
 */
export const calendarUid = (meetingId: string, baseUrl: string) => `${meetingId}@${new URL(baseUrl).hostname}`

/**
 * Describe a meeting for a feed, with the UID of the mails and the time of its last change as the stamp, so that an unchanged
 * meeting gives the same text.
 */
export function publishedMeeting(
  { encryption, config: { baseUrl, mailFrom } }: Pick<Dependencies, 'encryption' | 'config'>,
  t: TextsOf<'invitation-emails'>,
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
    ...mapTexts((name) => meeting[name]),
    entrance: describeEntrance(t, { link, code: meeting.code, pin }),
    cutNotice: t('textIsCut', { link }),
    joinLink: link,
    url: link,
    conference: { label: t('join'), address: link },
    series,
    status: 'CONFIRMED',
  }
}

/** Write the address that takes this guest's answers, unless the host takes them. */
export const answersTo = (
  encryption: Dependencies['encryption'],
  { id: meetingId, replyAddress }: { id: string; replyAddress: string | null },
  guest: AnsweringReader | null,
): { answersTo?: string } =>
  replyAddress === null || guest === null
    ? {}
    : { answersTo: guestReplyAddress(encryption, replyAddress, { meetingId, ...guest }) }

/** A guest, and the generation of their reply addresses. */
type AnsweringReader = { addressKey: string; replyGeneration: string }

/** Write how to join. */
export const describeEntrance = (
  t: TextsOf<'invitation-emails'>,
  { link, code, pin }: { link: string; code: string; pin: string },
): string => `${t('join')}: ${link}\n${t('fields.link')}: ${groupedCode(code)}\n${t('fields.pin')}: ${pin}`
