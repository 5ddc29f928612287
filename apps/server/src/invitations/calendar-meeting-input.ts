import type { Series } from '@parley/rules/recurrence/recurrence'
import type { Service } from '../access/service.ts'
import { senderOf } from '../email/sender.ts'
import { openSecrets } from '../meetings/secrets/meeting-secrets.ts'
import { joinLink } from '../meetings/view/meeting-links.ts'
import type { CalendarInput } from './calendar/calendar-input.ts'
import type { CalendarMeeting } from './calendar-feed-meetings.ts'
import { groupedCode } from './invitation-email-document.ts'
import { calendarUid } from './message-names.ts'
import type { Words } from './words/words.ts'

/**
 * A meeting as it is published in a feed: under the UID that the mails use, stamped with its last change, so that the same
 * meeting is the same text.
 */
export function publishedMeeting(
  { encryption, config: { baseUrl, mailFrom } }: Pick<Service, 'encryption' | 'config'>,
  words: Words,
  meeting: CalendarMeeting,
  series: Series,
  /** Whoever has a meeting by its link alone is not shown the host's address, as everywhere. */
  seesHostAddress: boolean,
): CalendarInput {
  const { pin } = openSecrets(encryption, meeting)
  const link = joinLink(baseUrl, meeting.code, pin)
  const { name, lname, email } = meeting.host
  const { address } = senderOf(mailFrom)
  const organizer = seesHostAddress ? { email, sentBy: address } : { email: address }
  return {
    method: 'PUBLISH',
    uid: calendarUid(meeting.id, baseUrl),
    sequence: meeting.sequence,
    stamp: meeting.modifiedAt,
    organizer: { name: `${name} ${lname}`.trim(), ...organizer },
    attendee: null,
    topic: meeting.topic,
    description: describeMeeting(words, { description: meeting.description, link, code: meeting.code, pin }),
    location: link,
    url: link,
    conference: { label: words.join, address: link },
    series,
    status: 'CONFIRMED',
  }
}

/** What the host wrote, and how to get in. */
export function describeMeeting(
  words: Pick<Words, 'join' | 'meetingId' | 'pin'>,
  { description, link, code, pin }: { description: string; link: string; code: string; pin: string },
): string {
  const entrance = `${words.join}: ${link}\n${words.meetingId}: ${groupedCode(code)}\n${words.pin}: ${pin}`
  return description.trim() === '' ? entrance : `${description}\n\n${entrance}`
}
