import * as accountData from './account-data-endpoints.ts'
import * as accounts from './account-endpoints.ts'
import * as administration from './administration-endpoints.ts'
import * as auditLog from './audit-log-endpoints.ts'
import * as calendars from './calendar-endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import { listEvents, listGrantEvents, watchUser } from './events/event-endpoints.ts'
import * as notifications from './events/notification-endpoints.ts'
import * as push from './events/push-endpoints.ts'
import * as blockedSenders from './meetings/blocked-sender-endpoints.ts'
import * as invitations from './meetings/invitation-endpoints.ts'
import { chooseMeetingColour } from './meetings/meeting-colour-endpoints.ts'
import * as meetings from './meetings/meeting-endpoints.ts'
import * as meetingLists from './meetings/meeting-list-endpoints.ts'
import * as occurrences from './meetings/occurrence-endpoints.ts'
import * as meetingTemplates from './meetings/template-endpoints.ts'
import * as administeredApps from './oauth-apps/administered-app-endpoints.ts'
import * as apps from './oauth-apps/app-endpoints.ts'
import * as appEvents from './oauth-apps/app-event-endpoints.ts'
import * as appSecrets from './oauth-apps/app-secret-endpoints.ts'
import * as appTesters from './oauth-apps/app-tester-endpoints.ts'
import * as reviews from './oauth-apps/review-endpoints.ts'
import * as oauth from './oauth-endpoints.ts'
import * as organisation from './organisation-endpoints.ts'
import * as passkeys from './passkey-endpoints.ts'
import * as personalTokens from './personal-token-endpoints.ts'
import {
  deletePhoto,
  readProfile,
  readSession,
  suggestPeople,
  updatePhoto,
  updateProfile,
} from './profile-endpoints.ts'
import * as attendance from './rooms/attendance-endpoints.ts'
import * as breakout from './rooms/breakout-endpoints.ts'
import * as embed from './rooms/embed-endpoints.ts'
import * as rooms from './rooms/room-endpoints.ts'
import * as roomHosts from './rooms/room-host-endpoints.ts'
import * as service from './service-endpoints.ts'
import { readStartPage } from './start-page-endpoint.ts'
import * as webhooks from './webhook-endpoints.ts'

export * from './account-data-endpoints.ts'
export * from './account-endpoints.ts'
export * from './administration-endpoints.ts'
export * from './audit-log-endpoints.ts'
export * from './calendar-endpoints.ts'
export type * from './endpoint.ts'
export { costs, mediaTypesOf, misnomersOf, scopesOf } from './endpoint.ts'
export type { ChangedMeetingField, ChangedOccurrenceField } from './events/event-data.ts'
export { secretMeetingFields } from './events/event-data.ts'
export * from './events/event-endpoints.ts'
export * from './events/event-types.ts'
export * from './events/notification-endpoints.ts'
export * from './events/push-endpoints.ts'
export * from './meetings/blocked-sender-endpoints.ts'
export * from './meetings/invitation-endpoints.ts'
export * from './meetings/meeting-colour-endpoints.ts'
export * from './meetings/meeting-endpoints.ts'
export * from './meetings/meeting-list-endpoints.ts'
export * from './meetings/meeting-reply.ts'
export * from './meetings/meeting-request.ts'
export * from './meetings/occurrence-endpoints.ts'
export * from './meetings/template-endpoints.ts'
export * from './oauth-apps/administered-app-endpoints.ts'
export * from './oauth-apps/app-endpoints.ts'
export * from './oauth-apps/app-event-endpoints.ts'
export * from './oauth-apps/app-secret-endpoints.ts'
export * from './oauth-apps/app-tester-endpoints.ts'
export * from './oauth-apps/review-endpoints.ts'
export * from './oauth-endpoints.ts'
export * from './oauth-errors.ts'
export { unusedFields } from './openapi/unused-fields.ts'
export * from './organisation-endpoints.ts'
export * from './passkey-endpoints.ts'
export * from './personal-token-endpoints.ts'
export * from './problems.ts'
export * from './profile-endpoints.ts'
export * from './rooms/attendance-endpoints.ts'
export * from './rooms/breakout-endpoints.ts'
export * from './rooms/embed-endpoints.ts'
export * from './rooms/room-endpoints.ts'
export { type RoomRole, roomRoles } from './rooms/room-fields.ts'
export * from './rooms/room-host-endpoints.ts'
export * from './rooms/room-rights.ts'
export * from './scopes.ts'
export * from './service-endpoints.ts'
export * from './start-page-endpoint.ts'
export { maxPathParameterLength } from './value.ts'
export * from './webhook-endpoints.ts'

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
  meetings.restoreMeeting,
  chooseMeetingColour,
  invitations.respondToMeeting,
  invitations.listTimeProposals,
  invitations.dismissTimeProposal,
  invitations.resendInvitation,
  invitations.askForAnswers,
  occurrences.listOccurrences,
  meetingLists.listMeetings,
  meetingLists.listCalendar,
  meetingLists.listConflicts,
  meetingLists.listAgenda,
  readStartPage,
  meetings.previewMeeting,
  ...Object.values(calendars),
  meetingLists.addMeeting,
  meetingLists.removeAddedMeeting,
  ...endpointsOf(blockedSenders),
  ...endpointsOf(meetingTemplates),
  ...endpointsOf(rooms),
  ...endpointsOf(roomHosts),
  ...endpointsOf(breakout),
  ...endpointsOf(embed),
  ...endpointsOf(attendance),
  listEvents,
  listGrantEvents,
  watchUser,
  ...endpointsOf(notifications),
  ...endpointsOf(push),
  ...endpointsOf(webhooks),
  readProfile,
  readSession,
  updateProfile,
  updatePhoto,
  deletePhoto,
  suggestPeople,
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
  ...endpointsOf(organisation),
  accountData.deleteAccount,
  ...endpointsOf(administeredApps),
  ...endpointsOf(auditLog),
  ...Object.values(service),
]

/** The files also export the schemas that their endpoints use. */
function endpointsOf(noun: Record<string, unknown>): Endpoint[] {
  return Object.values(noun).filter((value): value is Endpoint => Object.hasOwn(Object(value), 'method'))
}
