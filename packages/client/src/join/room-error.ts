/** Why an action in a room failed. */
export type RoomErrorReason =
  /** The host has not allowed this microphone yet. */
  | 'hard_muted'
  /** A host has taken the right from the caller, or from all participants. */
  | 'camera_not_allowed'
  | 'screen_not_allowed'
  | 'chat_not_allowed'
  | 'reactions_not_allowed'
  | 'not_inside'
  /** The user or the browser denies access to the device. */
  | 'device_denied'
  | 'device_missing'
  /** Another program uses it. */
  | 'device_in_use'
  /** The effect of `setEffect` could not be started. A camera that it was chosen for stays off. */
  | 'effect_failed'
  /** The user chose no screen. */
  | 'cancelled'
  | 'message_empty'
  | 'message_too_long'
  | 'unknown_reaction'
  /** No participant with that id is inside. */
  | 'participant_gone'
  | 'failed'

/** Thrown by the actions of a room; `reason` is stable, `cause` the browser's or LiveKit's error. */
export class RoomError extends Error {
  readonly reason: RoomErrorReason

  constructor(reason: RoomErrorReason, cause?: unknown) {
    super(reason, { cause })
    this.name = 'RoomError'
    this.reason = reason
  }
}

/** Map the browser's error to a reason (Media Capture and Streams, 10.6). */
export function deviceReasonOf(error: unknown, isScreen: boolean): RoomErrorReason {
  if (error instanceof RoomError) return error.reason
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return isScreen ? 'cancelled' : 'device_denied'
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'device_missing'
    case 'NotReadableError':
      return 'device_in_use'
    default:
      return 'failed'
  }
}
