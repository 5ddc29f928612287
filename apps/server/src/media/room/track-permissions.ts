import type { SubscriptionPermission } from '@livekit/protocol'

/** Whether a publisher allows this participant to subscribe to the track. Without permissions all may. */
export function isSubscriptionAllowed(
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
