import { SubscriptionPermissionUpdate } from '@livekit/protocol'
import type { Publication } from '../tracks/publication.ts'
import type { Participant } from './participant.ts'
import { isSubscriptionAllowed } from './track-permissions.ts'

/** Those who are in one room, as far as it decides who gets whose tracks. */
export type People = { readonly participants: readonly Participant[]; get(identity: string): Participant | undefined }

/** Subscribes to a track whoever may have it and wants it. */
export function subscribe(people: People, participant: Participant, publication: Publication): void {
  const wanted = participant.wantedTracks.get(publication.sid) ?? participant.autoSubscribe
  if (!wanted || !maySubscribe(people, participant, publication)) return
  if (participant.subscriptions.add(publication)) participant.requireSections()
}

export function unsubscribe(participant: Participant, publication: Publication): void {
  if (participant.subscriptions.remove(publication)) participant.requireSections()
}

/** Brings what a participant gets in line with what it may get. */
export function resubscribe(people: People, participant: Participant): void {
  for (const publication of publicationsOf(people)) {
    if (maySubscribe(people, participant, publication)) subscribe(people, participant, publication)
    else unsubscribe(participant, publication)
  }
}

/** The participant asks for tracks, or declines them. */
export function setWanted(
  people: People,
  participant: Participant,
  trackSids: readonly string[],
  wanted: boolean,
): void {
  for (const publication of publicationsOf(people)) {
    if (!trackSids.includes(publication.sid)) continue
    participant.wantedTracks.set(publication.sid, wanted)
    if (wanted) subscribe(people, participant, publication)
    else unsubscribe(participant, publication)
  }
}

/** A publisher has said anew who may have its tracks. Those who may no longer, or may again, are told. */
export function applyTrackPermission(people: People, publisher: Participant): void {
  for (const publication of publisher.publishing.all) {
    for (const one of people.participants) {
      if (one === publisher) continue
      const allowed = isSubscriptionAllowed(publisher.trackPermission, publication.sid, one)
      const value = new SubscriptionPermissionUpdate({
        participantSid: publisher.sid,
        trackSid: publication.sid,
        allowed,
      })
      one.send({ case: 'subscriptionPermissionUpdate', value })
    }
  }
  for (const one of people.participants) resubscribe(people, one)
}

/** The tracks that a request is about; they can be named in two ways. */
export const tracksNamedBy = ({ trackSids, participantTracks }: TracksNamed) => [
  ...trackSids,
  ...participantTracks.flatMap((of) => of.trackSids),
]

type TracksNamed = { trackSids: string[]; participantTracks: { trackSids: string[] }[] }

const publicationsOf = ({ participants }: People) => participants.flatMap(({ publishing }) => publishing.all)

function maySubscribe(people: People, participant: Participant, publication: Publication): boolean {
  const publisher = people.get(publication.publisher.identity)
  return (
    participant.person.permission.canSubscribe &&
    publication.publisher.sid !== participant.sid &&
    publisher !== undefined &&
    isSubscriptionAllowed(publisher.trackPermission, publication.sid, participant)
  )
}
