import type { FastifyInstance } from 'fastify'
import type { WithDatabase } from '../access/service.ts'
import { createReadingLimits } from './calendar-reply.ts'
import { serveCreateCalendarFeed } from './create-calendar-feed.ts'
import { serveDeleteCalendarFeed } from './delete-calendar-feed.ts'
import { serveDigestStop } from './digest/serve-digest-stop.ts'
import { serveDismissTimeProposal } from './proposals/dismiss-time-proposal.ts'
import { serveListTimeProposals } from './proposals/list-time-proposals.ts'
import { serveReadCalendar } from './read-calendar.ts'
import { serveReadCalendarFeed } from './read-calendar-feed.ts'
import { serveReadInvite } from './read-invite.ts'
import { serveReminderStop } from './reminder-stop/serve-reminder-stop.ts'
import { serveResendInvitation } from './resend-invitation.ts'
import { serveRespondToMeeting } from './responses/respond-to-meeting.ts'
import { serveResponsePages } from './responses/serve-response-pages.ts'

/** Register every endpoint of invitations, answers and calendars, and the pages behind the links of emails. */
export function registerInvitationRoutes(service: WithDatabase & { http: FastifyInstance }): void {
  const limitReadings = createReadingLimits(service.config)
  serveReadInvite({ ...service, limitReadings })
  serveReadCalendar({ ...service, limitReadings })
  serveCreateCalendarFeed(service)
  serveReadCalendarFeed(service)
  serveDeleteCalendarFeed(service)
  serveRespondToMeeting(service)
  serveListTimeProposals(service)
  serveDismissTimeProposal(service)
  serveResendInvitation(service)
  serveResponsePages(service.http, service)
  serveReminderStop(service.http, service)
  serveDigestStop(service.http, service)
}
