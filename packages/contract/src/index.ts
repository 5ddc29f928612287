import * as accountData from './account-data.ts'
import * as accounts from './accounts.ts'
import * as administration from './administration.ts'
import * as attendance from './attendance.ts'
import * as auditLog from './audit-log.ts'
import * as calendars from './calendars.ts'
import type { Endpoint } from './endpoint.ts'
import { listEvents, listGrantEvents } from './events/events.ts'
import * as blockedSenders from './meetings/blocked-senders.ts'
import * as invitations from './meetings/invitations.ts'
import * as meetingLists from './meetings/meeting-lists.ts'
import * as meetings from './meetings/meetings.ts'
import * as occurrences from './meetings/occurrences.ts'
import * as oauth from './oauth.ts'
import * as administeredApps from './oauth-apps/administered-apps.ts'
import * as appEvents from './oauth-apps/app-events.ts'
import * as appSecrets from './oauth-apps/app-secrets.ts'
import * as appTesters from './oauth-apps/app-testers.ts'
import * as apps from './oauth-apps/apps.ts'
import * as reviews from './oauth-apps/reviews.ts'
import * as passkeys from './passkeys.ts'
import * as personalTokens from './personal-tokens.ts'
import { readProfile, readSession, updateProfile } from './profile.ts'
import * as rooms from './rooms.ts'
import * as service from './service.ts'
import * as webhooks from './webhooks.ts'

export * from './account-data.ts'
export * from './accounts.ts'
export * from './administration.ts'
export * from './attendance.ts'
export * from './audit-log.ts'
export * from './calendars.ts'
export type * from './endpoint.ts'
export { costs, mediaTypesOf, misnomersOf, scopesOf } from './endpoint.ts'
export type { ChangedMeetingField, ChangedOccurrenceField } from './events/event-data.ts'
export { secretMeetingFields } from './events/event-data.ts'
export * from './events/event-types.ts'
export * from './events/events.ts'
export * from './meetings/blocked-senders.ts'
export * from './meetings/invitations.ts'
export * from './meetings/meeting-lists.ts'
export * from './meetings/meeting-reply.ts'
export * from './meetings/meeting-request.ts'
export * from './meetings/meetings.ts'
export * from './meetings/occurrences.ts'
export * from './oauth.ts'
export * from './oauth-apps/administered-apps.ts'
export * from './oauth-apps/app-events.ts'
export * from './oauth-apps/app-secrets.ts'
export * from './oauth-apps/app-testers.ts'
export * from './oauth-apps/apps.ts'
export * from './oauth-apps/reviews.ts'
export * from './oauth-errors.ts'
export { unusedFields } from './openapi/unused-fields.ts'
export * from './passkeys.ts'
export * from './personal-tokens.ts'
export * from './problems.ts'
export * from './profile.ts'
export * from './rooms.ts'
export * from './scopes.ts'
export * from './service.ts'
export { maxPathParameterLength } from './value.ts'
export * from './webhooks.ts'

/** All endpoints, in the order of OpenAPI and the reference. */
export const endpoints: readonly Endpoint[] = [
  meetings.createMeeting,
  meetings.readMeeting,
  meetings.updateMeeting,
  occurrences.changeOccurrence,
  occurrences.undoOccurrenceChange,
  occurrences.restoreOccurrence,
  occurrences.splitMeeting,
  meetings.cancelMeeting,
  meetings.undoCancellation,
  invitations.respondToMeeting,
  invitations.listTimeProposals,
  invitations.dismissTimeProposal,
  invitations.resendInvitation,
  occurrences.listOccurrences,
  meetingLists.listMeetings,
  meetingLists.listCalendar,
  meetingLists.listConflicts,
  meetings.previewMeeting,
  ...Object.values(calendars),
  meetingLists.addMeeting,
  meetingLists.removeAddedMeeting,
  ...endpointsOf(blockedSenders),
  ...endpointsOf(rooms),
  ...endpointsOf(attendance),
  listEvents,
  listGrantEvents,
  ...endpointsOf(webhooks),
  readProfile,
  readSession,
  updateProfile,
  accountData.exportOwnData,
  accountData.deleteOwnAccount,
  accountData.listHandOvers,
  accountData.answerHandOver,
  ...Object.values(accounts),
  ...Object.values(passkeys),
  ...Object.values(oauth),
  ...endpointsOf(apps),
  ...Object.values(appSecrets),
  ...endpointsOf(appTesters),
  ...endpointsOf(appEvents),
  ...endpointsOf(reviews),
  ...Object.values(personalTokens),
  ...endpointsOf(administration),
  accountData.deleteAccount,
  ...Object.values(administeredApps),
  ...endpointsOf(auditLog),
  ...Object.values(service),
]

/** The files also export the schemas that their endpoints use. */
function endpointsOf(noun: Record<string, unknown>): Endpoint[] {
  return Object.values(noun).filter((value): value is Endpoint => Object.hasOwn(Object(value), 'method'))
}
