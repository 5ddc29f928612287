import { type SubscriptionPermission, SubscriptionPermissionUpdate } from '@livekit/protocol'
import type { Publication } from '../tracks/publication.ts'
import type { Participant } from './participant.ts'
import { areTogether } from './permission.ts'

/** The participants of a room. */
type Members = { readonly participants: readonly Participant[]; get(identity: string): Participant | undefined }

/** Subscribe a participant to a track that it wants and may subscribe to. */
export function subscribe(members: Members, participant: Participant, publication: Publication): void {
  const wanted = participant.wantedTracks.get(publication.sid) ?? participant.autoSubscribe
  if (!wanted || !maySubscribe(members, participant, publication)) return
  if (participant.subscriptions.add(publication)) participant.requireSections()
}

export function unsubscribe(participant: Participant, publication: Publication): void {
  if (participant.subscriptions.remove(publication)) participant.requireSections()
}

/** Update a participant's subscriptions to its current permissions. */
export function resubscribe(members: Members, participant: Participant): void {
  for (const publication of publicationsOf(members)) {
    if (maySubscribe(members, participant, publication)) subscribe(members, participant, publication)
    else unsubscribe(participant, publication)
  }
}

/** Update a participant's subscriptions, and those of others to its tracks, after it has changed the breakout room. */
export function resubscribeAround(members: Members, participant: Participant): void {
  resubscribe(members, participant)
  for (const publication of participant.publishing.all) {
    for (const other of members.participants) {
      if (maySubscribe(members, other, publication)) subscribe(members, other, publication)
      else unsubscribe(other, publication)
    }
  }
}

/** Subscribe or unsubscribe a participant at its own request. */
export function setWanted(
  members: Members,
  participant: Participant,
  trackSids: readonly string[],
  wanted: boolean,
): void {
  for (const publication of publicationsOf(members)) {
    if (!trackSids.includes(publication.sid)) continue
    participant.wantedTracks.set(publication.sid, wanted)
    if (wanted) subscribe(members, participant, publication)
    else unsubscribe(participant, publication)
  }
}

/** Apply a publisher's new subscription permissions and notify the participants. */
export function applyTrackPermission(members: Members, publisher: Participant): void {
  for (const publication of publisher.publishing.all) {
    for (const subscriber of members.participants) {
      if (subscriber === publisher) continue
      const allowed = isSubscriptionAllowed(publisher.trackPermission, publication.sid, subscriber)
      const value = new SubscriptionPermissionUpdate({
        participantSid: publisher.sid,
        trackSid: publication.sid,
        allowed,
      })
      subscriber.send({ case: 'subscriptionPermissionUpdate', value })
    }
  }
  for (const subscriber of members.participants) resubscribe(members, subscriber)
}

/** The track SIDs of a request, which has two fields for them. */
export const tracksNamedBy = ({ trackSids, participantTracks }: TracksNamed) => [
  ...trackSids,
  ...participantTracks.flatMap((tracks) => tracks.trackSids),
]

type TracksNamed = { trackSids: string[]; participantTracks: { trackSids: string[] }[] }

const publicationsOf = ({ participants }: Members) => participants.flatMap(({ publishing }) => publishing.all)

function maySubscribe(members: Members, participant: Participant, publication: Publication): boolean {
  const publisher = members.get(publication.publisher.identity)
  return (
    participant.profile.permission.canSubscribe &&
    publication.publisher.sid !== participant.sid &&
    publisher !== undefined &&
    areTogether(publisher.profile, participant.profile) &&
    isSubscriptionAllowed(publisher.trackPermission, publication.sid, participant)
  )
}

/** Whether a publisher allows this participant to subscribe to the track. Without permissions all may. */
function isSubscriptionAllowed(
  permission: SubscriptionPermission | undefined,
  trackSid: string,
  subscriber: { sid: string; identity: string },
): boolean {
  if (permission === undefined || permission.allParticipants) return true
  return permission.trackPermissions.some(
    ({ participantSid, participantIdentity, allTracks, trackSids }) =>
      (participantIdentity === '' ? participantSid === subscriber.sid : participantIdentity === subscriber.identity) &&
      (allTracks || trackSids.includes(trackSid)),
  )
}
