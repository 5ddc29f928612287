import type { Service } from '../access/service.ts'
import { serveCreateCalendarFeed } from './create-calendar-feed.ts'
import { serveDeleteCalendarFeed } from './delete-calendar-feed.ts'
import { serveReadCalendar } from './read-calendar.ts'
import { serveReadCalendarFeed } from './read-calendar-feed.ts'
import { serveReadInvite } from './read-invite.ts'
import { serveResendInvitation } from './resend-invitation.ts'
import { serveRespondToMeeting } from './respond-to-meeting.ts'

/** Register every endpoint of invitations, answers and calendars. */
export function registerInvitationRoutes(service: Service): void {
  serveReadInvite(service)
  serveReadCalendar(service)
  serveCreateCalendarFeed(service)
  serveReadCalendarFeed(service)
  serveDeleteCalendarFeed(service)
  serveRespondToMeeting(service)
  serveResendInvitation(service)
}
