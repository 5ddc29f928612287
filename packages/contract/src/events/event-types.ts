import { type Static, type TObject, Type } from 'typebox'
import type { PersonalScope } from '../scopes.ts'
import { timestamp } from '../value.ts'
import {
  appData,
  changedFields,
  changedMeetingFields,
  changedOccurrenceFields,
  grantData,
  meetingData,
  ofFailedAddress,
  ofNewMeeting,
  ofOccurrence,
  ofParticipant,
  ofResponse,
  secretData,
  webhookData,
} from './event-data.ts'
import { samples } from './event-samples.ts'

/**
 * The scope that a token needs to read these events. `grant`: an app reads those of its own grants with any token.
 * `webhook`: only the webhook itself receives them.
 */
type EventRight = Extract<PersonalScope, 'meeting:read' | 'apps:manage'> | 'grant' | 'webhook'

type EventDefinition = {
  description: string
  right: EventRight
  data: TObject
  /** An example of the data. */
  sample: object
}

const define = <const Definition extends EventDefinition>(definition: Definition): Definition => definition

const ofMeeting = 'meeting:read'
const ofApp = 'apps:manage'

/** Every type of event, in the order of the reference (docs/events.md). */
export const eventTypes = {
  'meeting.created': define({
    description: 'A meeting was scheduled, also as the continuation of a series that was split.',
    right: ofMeeting,
    data: meetingData(ofNewMeeting),
    sample: samples.meeting,
  }),
  'meeting.updated': define({
    description: 'A meeting or a whole series was changed. A request that changes no field causes no event.',
    right: ofMeeting,
    data: meetingData(changedFields(changedMeetingFields)),
    sample: { ...samples.changedMeeting, changed: ['startTime', 'endTime'] },
  }),
  'meeting.cancelled': define({
    description: 'A meeting, or all that was left of a series, was cancelled.',
    right: ofMeeting,
    data: meetingData({}),
    sample: samples.changedMeeting,
  }),
  'meeting.started': define({
    description: 'The first participant is inside the room.',
    right: ofMeeting,
    data: meetingData({}),
    sample: samples.meeting,
  }),
  'meeting.ended': define({
    description: 'The last participant has left the room, or a host has ended the meeting.',
    right: ofMeeting,
    data: meetingData({}),
    sample: samples.meeting,
  }),
  'meeting.occurrence.updated': define({
    description: 'One occurrence of a series was changed, or its change was taken back.',
    right: ofMeeting,
    data: meetingData({ ...ofOccurrence, ...changedFields(changedOccurrenceFields) }),
    sample: { ...samples.changedMeeting, ...samples.occurrence, changed: ['startTime', 'endTime'] },
  }),
  'meeting.occurrence.cancelled': define({
    description: 'One occurrence of a series was cancelled.',
    right: ofMeeting,
    data: meetingData(ofOccurrence),
    sample: { ...samples.changedMeeting, ...samples.occurrence },
  }),
  'meeting.occurrence.restored': define({
    description: 'A cancelled occurrence of a series takes place again.',
    right: ofMeeting,
    data: meetingData(ofOccurrence),
    sample: { ...samples.changedMeeting, ...samples.occurrence },
  }),
  'participant.responded': define({
    description: 'A participant accepted or declined the invitation or one occurrence, or is undecided.',
    right: ofMeeting,
    data: meetingData(ofResponse),
    sample: { ...samples.meeting, email: 'bob@example.org', response: 'accepted' },
  }),
  'participant.waiting': define({
    description: 'A person waits to be admitted, or for a host to come.',
    right: ofMeeting,
    data: meetingData(ofParticipant),
    sample: { ...samples.meeting, participant: samples.participant },
  }),
  'participant.admitted': define({
    description: 'A person may enter the room: at once, or after a host has admitted them.',
    right: ofMeeting,
    data: meetingData(ofParticipant),
    sample: { ...samples.meeting, participant: samples.participant },
  }),
  'participant.denied': define({
    description: 'A host has denied a person entry, or removed them from the room.',
    right: ofMeeting,
    data: meetingData(ofParticipant),
    sample: { ...samples.meeting, participant: samples.participant },
  }),
  'participant.joined': define({
    description: 'A participant is inside the room. A second connection of the same person is no second event.',
    right: ofMeeting,
    data: meetingData(ofParticipant),
    sample: { ...samples.meeting, participant: samples.participant },
  }),
  'participant.left': define({
    description: 'The last connection of a participant to the room has ended.',
    right: ofMeeting,
    data: meetingData(ofParticipant),
    sample: { ...samples.meeting, participant: samples.participant },
  }),
  'invitation.failed': define({
    description: 'An email about the meeting was given up: the host sees the address as failed.',
    right: ofMeeting,
    data: meetingData(ofFailedAddress),
    sample: { ...samples.meeting, email: 'bob@example.org' },
  }),
  'grant.created': define({
    description: 'A person has allowed an app to act for them.',
    right: 'grant',
    data: grantData,
    sample: samples.grant,
  }),
  'grant.changed': define({
    description: 'A person has allowed an app more, or the app gave up scopes.',
    right: 'grant',
    data: grantData,
    sample: { ...samples.grant, scopes: ['meeting:read', 'meeting:create'] },
  }),
  'grant.revoked': define({
    description: 'A grant has ended: the person disconnected the app, or the account or the app was deleted.',
    right: 'grant',
    data: grantData,
    sample: { ...samples.grant, scopes: [] },
  }),
  'app.approved': define({
    description: 'A reviewer has approved the app, or an administrator has resumed an approved one.',
    right: ofApp,
    data: appData,
    sample: samples.app,
  }),
  'app.rejected': define({
    description: 'A reviewer has rejected the app, or the change of it under review.',
    right: ofApp,
    data: appData,
    sample: samples.app,
  }),
  'app.on_hold': define({
    description: 'A reviewer has put the app, or the change of it under review, on hold.',
    right: ofApp,
    data: appData,
    sample: samples.app,
  }),
  'app.suspended': define({
    description: 'An administrator has suspended the app: its tokens are refused.',
    right: ofApp,
    data: appData,
    sample: samples.app,
  }),
  'secret.expiring': define({
    description: 'A client secret expires within two weeks.',
    right: ofApp,
    data: secretData,
    sample: samples.secret,
  }),
  'webhook.test': define({
    description: 'The owner of a webhook has asked for a test event; for a sample of another type if it names one.',
    right: 'webhook',
    data: webhookData({
      sampleOf: Type.Optional(Type.String({ description: 'The type of the sample that was sent' })),
    }),
    sample: samples.webhook,
  }),
  'webhook.disabled': define({
    description:
      'A webhook was switched off: deliveries have failed for too long, or all sign-ins of its owner have ended.',
    right: 'webhook',
    data: webhookData({}),
    sample: samples.webhook,
  }),
  'webhook.gap': define({
    description: 'A webhook that was switched off works again: events of this time were not delivered.',
    right: 'webhook',
    data: webhookData({
      from: timestamp({ description: 'Events at this time or later were not delivered' }),
      to: timestamp({ description: 'Events before this time were not delivered' }),
    }),
    sample: { ...samples.webhook, from: '2026-11-20T08:00:00.000Z', to: '2026-11-23T03:30:00.000Z' },
  }),
} as const satisfies Record<string, EventDefinition>

export type EventType = keyof typeof eventTypes
export type EventData<T extends EventType> = Static<(typeof eventTypes)[T]['data']>

export const eventTypeNames = Object.keys(eventTypes) as readonly EventType[]

export const isEventType = (text: string): text is EventType => Object.hasOwn(eventTypes, text)
