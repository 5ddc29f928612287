import { type TSchema, Type } from 'typebox'
import type { Endpoint } from '../index.ts'
import * as contract from '../index.ts'
import { choice } from '../value.ts'
import { deliveredEvents, deliveredMeeting } from './delivered-events.ts'

/** A schema of the document's components: generators make a type of this name. */
type NamedSchema = { name: string; schema: TSchema; description: string }

const {
  meetingRequest,
  meetingReply,
  singleMeetingReply,
  listedMeetingReply,
  occurrence,
  previewMeeting,
  listTimeProposals,
  listCalendar,
  listConflicts,
  listAgenda,
  enterRoom,
  watchRoom,
  watchAdmission,
  listAttendance,
} = contract

/** A file of JSON for people to keep: the endpoint streams it, and validates no reply. */
export const jsonFile = Type.Object({}, { additionalProperties: true })

/** Schemas that several operations use, or that a program handles one by one. */
const nouns: readonly [schema: unknown, name: string, description: string][] = [
  [meetingRequest, 'MeetingRequest', 'A meeting to schedule, or what a meeting is to be replaced by.'],
  [meetingRequest.properties.advancedOptions, 'AdvancedOptionsRequest', 'Options of the room. Each may be left out.'],
  [
    meetingRequest.properties.repeatOptions,
    'RepeatOptionsRequest',
    'When a meeting repeats. Fields that the chosen `repeat` does not use are ignored.',
  ],
  [meetingReply, 'Meeting', 'A meeting as its host sees it.'],
  [singleMeetingReply, 'SingleMeeting', 'A meeting with what is needed to enter its room.'],
  [listedMeetingReply, 'ListedMeeting', 'A meeting in a list.'],
  [meetingReply.properties.participants.items, 'Participant', 'A person who is invited to a meeting.'],
  [
    listedMeetingReply.properties.participants.items,
    'ListedParticipant',
    'A person who is invited to a meeting of a list.',
  ],
  [contract.readMeetingTemplate.reply, 'MeetingTemplate', 'What new meetings begin with, without their times.'],
  [meetingReply.properties.advancedOptions, 'AdvancedOptions', 'Options of the room.'],
  [meetingReply.properties.repeatOptions, 'RepeatOptions', 'When a meeting repeats.'],
  [meetingReply.properties.notificationsSend, 'NotificationsSend', 'Which emails were sent about a meeting.'],
  [meetingReply.properties.webinar, 'Webinar', 'Not supported: always the same values, for clients that expect them.'],
  [
    meetingReply.properties.editOptions,
    'EditOptions',
    'Not supported in replies: always the same value, for clients that expect it.',
  ],
  [meetingReply.properties.isTvPublish, 'Enabled', 'A feature of the original API that is not supported: always off.'],
  [
    meetingReply.properties.fblivestream,
    'LiveStream',
    'A live stream of the original API, which is not supported: always off.',
  ],
  [singleMeetingReply.properties.hostInfo, 'Host', 'The person who hosts a meeting.'],
  [listedMeetingReply.properties.hostInfo, 'ListedHost', 'The person who hosts a meeting of a list.'],
  [contract.imageMeta, 'ImageMeta', 'A picture of a person. All texts are empty when there is none.'],
  [occurrence, 'Occurrence', 'One date of a meeting.'],
  [
    listedMeetingReply.properties.nextOccurrence,
    'OccurrenceTimes',
    'When one date of a meeting takes place, and whether it does.',
  ],
  [occurrence.properties.responseCounts, 'ResponseCounts', 'How many invited people have given which response.'],
  [occurrence.properties.responses.items, 'GuestResponse', 'A response to one date, apart from the series.'],
  [contract.changedDates.removedOccurrences.items, 'ChangedDate', 'A date that an update adds or removes.'],
  [previewMeeting.reply.properties.occurrences.items, 'PreviewedOccurrence', 'A date that a meeting would have.'],
  [previewMeeting.reply.properties.shifts.items, 'ClockChange', 'A clock change between two dates.'],
  [listTimeProposals.reply.properties.proposals.items, 'TimeProposal', 'Another time that a participant proposes.'],
  [listCalendar.reply.properties.occurrences.items, 'CalendarEntry', 'One date of a meeting in a calendar.'],
  [listConflicts.reply.properties.conflicts.items, 'Conflict', 'A date that overlaps the interval.'],
  [contract.readService.reply, 'ServiceInfo', 'What a visitor may know of the service.'],
  [contract.readOrganisation.reply, 'OrganisationSettings', 'What an organisation has chosen for its look.'],
  [
    contract.readSession.reply.properties.organisation,
    'OrganisationLook',
    'Name, logos and colours of an organisation.',
  ],
  [contract.readOrganisation.reply.properties.logos.properties.light, 'Logo', 'An image on this service.'],
  [
    Object(contract.readOrganisation.reply.properties.colours).properties.light,
    'AccentShades',
    'Shades of the colour of an organisation, each readable on pages with a light or a dark ground.',
  ],
  [contract.suggestPeople.reply.properties.people.items, 'SuggestedPerson', 'A person whom the caller may invite.'],
  [listAgenda.reply, 'Agenda', 'A page of the meetings of a person, date by date.'],
  [listAgenda.reply.properties.dates.items, 'AgendaDate', 'One date of a meeting in the list of the pages.'],
  [enterRoom.reply.properties.meeting, 'EntryMeeting', 'What a visitor with the PIN sees of a meeting.'],
  [enterRoom.reply.properties.devices, 'StartingDevices', 'Which devices are on when a person enters.'],
  [enterRoom.reply.properties.media, 'RoomMedia', 'How to connect to audio and video.'],
  [
    enterRoom.reply.properties.media.properties.iceServers.items,
    'IceServer',
    'A STUN or TURN server, as `RTCPeerConnection` takes it.',
  ],
  [watchAdmission.reply, 'AdmissionUpdate', 'The state of a person who waits for a meeting or is inside.'],
  [watchRoom.reply, 'RoomWatch', 'Who waits for a meeting and who is inside.'],
  [watchRoom.reply.properties.waiting.items, 'WaitingPerson', 'A person who waits to be admitted.'],
  [watchRoom.reply.properties.denied.items, 'DeniedPerson', 'A person who was denied or removed.'],
  [watchRoom.reply.properties.participants.items, 'PersonInside', 'A person who is inside.'],
  [contract.breakoutOfRoom, 'BreakoutRooms', 'Breakout rooms as hosts see them.'],
  [contract.breakoutOfPerson, 'BreakoutOfPerson', 'Breakout rooms as one person sees them.'],
  [listAttendance.reply.properties.sessions.items, 'RoomSession', 'One time that a meeting was held.'],
  [
    listAttendance.reply.properties.sessions.items.properties.stays.items,
    'Stay',
    'One connection of a person to a meeting.',
  ],
  [contract.profile, 'Profile', 'An account with its settings, as its owner sees it.'],
  [contract.signIn.reply, 'Session', 'A session that has begun.'],
  [contract.listSessions.reply.properties.sessions.items, 'SignedInSession', 'A place where a person is signed in.'],
  [contract.listPasskeys.reply.properties.passkeys.items, 'Passkey', 'A passkey of an account.'],
  [
    contract.preparePasskeyConfirmation.reply.properties.publicKey,
    'PasskeyRequestOptions',
    '`PublicKeyCredentialRequestOptionsJSON` of WebAuthn Level 3.',
  ],
  [
    contract.preparePasskey.reply.properties.publicKey,
    'PasskeyCreationOptions',
    '`PublicKeyCredentialCreationOptionsJSON` of WebAuthn Level 3.',
  ],
  [
    contract.preparePasskey.reply.properties.publicKey.properties.excludeCredentials.items,
    'PasskeyDescriptor',
    '`PublicKeyCredentialDescriptorJSON` of WebAuthn Level 3.',
  ],
  [
    contract.addPasskey.body.properties.credential,
    'PasskeyRegistration',
    '`RegistrationResponseJSON` of WebAuthn Level 3, as `credential.toJSON()` writes it.',
  ],
  [
    contract.signInWithPasskey.body.properties.credential,
    'PasskeyAssertion',
    '`AuthenticationResponseJSON` of WebAuthn Level 3, as `credential.toJSON()` writes it.',
  ],
  [contract.listPersonalTokens.reply.properties.tokens.items, 'PersonalToken', 'A personal access token.'],
  [contract.deleteOwnAccount.body, 'AccountDeletion', 'How to delete an account, and the proof of who asks for it.'],
  [contract.listSecurityLog.reply.properties.entries.items, 'SecurityEntry', 'What happened to your account.'],
  [contract.listAuditLog.reply.properties.entries.items, 'AuditLogEntry', 'An action in an organisation’s accounts.'],
  [contract.listAuditLog.reply.properties.entries.items.properties.actor, 'AuditedPerson', 'An account in the log.'],
  [contract.updateAccount.reply, 'Account', 'An account, as its administrators see it.'],
  [
    contract.listAccounts.reply.properties.accounts.items,
    'ListedAccount',
    'An account in the list of an administrator.',
  ],
  [
    contract.listAccounts.reply.properties.accounts.items.properties.oauthRequest,
    'OauthRequest',
    'A request for OAuth that waits for an answer.',
  ],
  [contract.readServerMetadata.reply, 'AuthorizationServerMetadata', 'Where and how to ask for tokens (RFC 8414).'],
  [
    contract.readResourceMetadata.reply,
    'ResourceMetadata',
    'What the API or the MCP server takes as tokens (RFC 9728).',
  ],
  [contract.preparePasskeySignIn.reply, 'PasskeyRequest', 'What a browser takes to ask for a passkey.'],
  [contract.revokeToken.body, 'TokenInForm', 'A token to revoke or to check.'],
  [contract.listGrants.reply.properties.grants.items, 'Grant', 'An app that a person has connected.'],
  [contract.listScopes.reply.properties.scopes.items, 'ScopeDescription', 'A scope in words.'],
  [contract.app, 'App', 'A registered app: one revision of it.'],
  [contract.reason, 'ReviewReason', 'A reason for a decision about an app.'],
  [contract.checkResult, 'CheckResult', 'What an automatic check of an app found.'],
  [contract.app.properties.scopeReasons, 'ScopeReasons', 'Why the app needs each scope, by scope; reviewers read it.'],
  [contract.reviewLine, 'ReviewLine', 'One event in the history of an app.'],
  [contract.ofUnregistered.owner, 'AppOwner', 'The account that an app belongs to.'],
  [contract.listReviews.reply.properties.reviews.items, 'WaitingReview', 'An app that waits for a review.'],
  [contract.readReview.reply.properties.differences.items, 'RevisionDifference', 'A field that a revision changes.'],
  [contract.listAdministeredApps.reply.properties.apps.items, 'AdministeredApp', 'An app that can be suspended.'],
  [contract.listAppEvents.reply.properties.events.items, 'AppEvent', 'What happened to a request of an app.'],
  [contract.listSecrets.reply.properties.secrets.items, 'AppSecret', 'A secret of an app, without its value.'],
  [
    contract.createSecret.reply,
    'AppSecretWithValue',
    'A new secret of an app with its value, which is not shown again.',
  ],
  [contract.listTesters.reply, 'Testers', 'Who may use the sandbox of an app.'],
  [contract.listTesters.reply.properties.testers.items, 'Tester', 'A person who is invited to test an app.'],
  [contract.blockSender.reply, 'BlockedSender', 'An account whose meetings the caller does not get.'],
  [contract.listHandOvers.reply.properties.handOvers.items, 'HandOver', 'A meeting that is offered to a cohost.'],
  [contract.answerTesterInvitation.reply, 'TesterInvitation', 'An invitation to test an app.'],
  [
    contract.listEvents.reply.properties.events.items,
    'Event',
    'What happened to a meeting, a grant, an app or a webhook.',
  ],
  [choice(contract.eventTypeNames), 'EventType', 'What kind of thing happened.'],
  [deliveredMeeting, 'DeliveredMeeting', 'A meeting in an event, without PIN, keys and links that contain them.'],
  [
    contract.eventTypes['participant.joined'].data.properties.participant,
    'EventParticipant',
    'A person at the room of a meeting, or inside.',
  ],
  [
    contract.eventTypes['meeting.updated'].data.properties.changed.items,
    'ChangedMeetingField',
    'A field of a meeting that an event names.',
  ],
  [
    contract.eventTypes['meeting.occurrence.updated'].data.properties.changed.items,
    'ChangedOccurrenceField',
    'A field of one date that an event names.',
  ],
  [choice(contract.scopeNames), 'Scope', 'A scope that apps can be granted.'],
  [contract.readWebhook.reply, 'Webhook', 'An address that events are posted to.'],
  [contract.createWebhook.reply, 'WebhookWithSecret', 'A webhook with its new secret, which is not shown again.'],
  [contract.readWebhook.reply.properties.owner, 'WebhookOwner', 'Whose events a webhook gets.'],
  [contract.readWebhook.reply.properties.payload, 'WebhookPayload', 'What is sent of an event.'],
  [contract.readWebhook.reply.properties.state, 'WebhookState', 'Whether events are sent, and taken.'],
  [contract.readWebhook.reply.properties.disabledBecause, 'WebhookDisabledReason', 'Why a webhook is switched off.'],
  [contract.listWebhookDeliveries.reply.properties.deliveries.items, 'WebhookDelivery', 'An event of a webhook.'],
  [contract.readWebhookDelivery.reply.properties.attemptLog.items, 'WebhookAttempt', 'One time that it was sent.'],
  [choice(contract.deliveryStates), 'WebhookDeliveryState', 'What came of an event.'],
  [contract.readHealth.reply, 'Health', 'That the service works.'],
  [contract.listTimeZones.reply.properties.timeZones.items, 'TimeZoneCode', 'A short code of a time zone.'],
  [contract.signOut.reply, 'StatusReply', 'A confirmation without data.'],
  [jsonFile, 'JsonFile', 'A file of JSON for people to keep, which the documentation describes.'],
  // Lists of values: `choice` keeps the list that it was given.
  [choice(contract.invitationResponses), 'InvitationResponse', 'A response to an invitation.'],
  [meetingReply.properties.writtenBy.properties.topic, 'TextAuthor', 'Who wrote a text last: the caller, or others.'],
  [
    contract.listMeetings.query.properties.role,
    'MeetingListRole',
    'Meetings that the caller hosts, is invited to, or both.',
  ],
  [choice(contract.dateFilters), 'DateFilter', 'Dates that take place, or cancelled ones as well.'],
  [contract.answerTesterInvitation.body, 'AnswerRequest', 'An answer to an offer or an invitation.'],
  [meetingReply.properties.writtenBy, 'TextAuthors', 'Who wrote the texts of a meeting last.'],
  [meetingReply.properties.status, 'MeetingStatus', 'Whether a meeting takes place.'],
  [occurrence.properties.status, 'OccurrenceStatus', 'Whether a date takes place, and as the series says.'],
  [contract.sendUpdates.properties.sendUpdates, 'SendUpdates', 'Whether participants are mailed about the change.'],
  [choice(contract.roomRoles), 'RoomRole', 'The role of a person in a meeting.'],
  [choice(contract.roomStates), 'RoomState', 'Where a person stands who wants to enter, or is inside.'],
  [choice(contract.clientTypes), 'ClientType', 'Where an app runs, and whether it keeps a secret.'],
  [choice(contract.appStatuses), 'AppStatus', 'Where an app stands in its review.'],
  [
    choice(contract.appRegistrations),
    'AppRegistration',
    'Who has registered an app: a developer, or the client itself.',
  ],
  [
    contract.listTesters.reply.properties.testers.items.properties.state,
    'TesterState',
    'Whether a person tests an app: `pending` until they answer.',
  ],
  [choice(contract.auditActions), 'AuditAction', 'A recorded action.'],
  [choice(contract.personalScopeNames), 'PersonalScope', 'A scope of a personal token.'],
  [
    meetingRequest.properties.participants.items,
    'Invitee',
    'An email address with the name of the person or without; also an object as replies have it.',
  ],
  [
    meetingRequest.properties.repeatOptions.properties.daysOfWeek.items,
    'Flag',
    '0 or 1, or false or true, for one place of a list.',
  ],
  [contract.problemSchema, 'Problem', 'Why a request was refused (RFC 9457).'],
  [contract.problemSchema.properties.errors.items, 'Violation', 'One error in a request.'],
  [contract.tokenErrorBody, 'TokenError', 'Why a request for tokens was refused (RFC 6749, 5.2).'],
]

const byIdentity = collectNamedSchemas()

/** All named schemas: the nouns, and every other body by the name of its operation. */
export const namedSchemas: readonly NamedSchema[] = [...byIdentity.values()]

export const findNamedSchema = (schema: TSchema): NamedSchema | undefined => byIdentity.get(identityOf(schema))

function collectNamedSchemas(): ReadonlyMap<unknown, NamedSchema> {
  const found = new Map<unknown, NamedSchema>()
  const add = (named: NamedSchema) => {
    const identity = identityOf(named.schema)
    if (!found.has(identity)) found.set(identity, named)
  }
  for (const [schema, name, description] of nouns) add({ name, schema: schema as TSchema, description })
  for (const event of deliveredEvents) add(event)
  for (const endpoint of contract.endpoints) {
    const { name, body, reply, summary } = endpoint
    const operation = inPascalCase(name)
    const about = `\`${name}\`: ${summary}`
    if (body !== undefined) add({ name: `${operation}Request`, schema: body, description: `The body of ${about}.` })
    if (isJson(endpoint)) add({ name: `${operation}Reply`, schema: reply, description: `The reply of ${about}.` })
  }
  return found
}

/** A schema is copied to make it optional, and to add a description or null; its properties and values stay the same. */
function identityOf(schema: TSchema): unknown {
  const { properties, enum: values } = Object(schema)
  return properties ?? values ?? schema
}

function isJson({ download, mediaType, replyStatuses }: Endpoint): boolean {
  return download === undefined && mediaType === undefined && replyStatuses?.[0] !== 204
}

function inPascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
