import type { Service } from '../access/service.ts'
import { serveCalendarFeed } from './calendar-feed.ts'
import { serveReadCalendar } from './read-calendar.ts'
import { serveReadInvite } from './read-invite.ts'
import { serveResendInvitation } from './resend-invitation.ts'
import { serveRespondToMeeting } from './respond-to-meeting.ts'

/** Register every endpoint of invitations, answers and calendars. */
export function registerInvitationRoutes(service: Service): void {
  serveReadInvite(service)
  serveReadCalendar(service)
  serveCalendarFeed(service)
  serveRespondToMeeting(service)
  serveResendInvitation(service)
}
