/** Why a deed in a room was not done. */
export type RoomErrorReason =
  /** The host has not allowed this microphone yet. */
  | 'hard_muted'
  | 'not_inside'
  /** The person or the browser does not allow the device. */
  | 'device_denied'
  | 'device_missing'
  /** Another program has it. */
  | 'device_in_use'
  /** Nothing was chosen to be shared. */
  | 'cancelled'
  | 'message_empty'
  | 'message_too_long'
  | 'unknown_reaction'
  /** Nobody of that id is inside. */
  | 'participant_gone'
  | 'failed'

export class RoomError extends Error {
  readonly reason: RoomErrorReason

  constructor(reason: RoomErrorReason, cause?: unknown) {
    super(reason, { cause })
    this.name = 'RoomError'
    this.reason = reason
  }
}

/** What a browser's refusal of a device means (Media Capture and Streams, 10.6). */
export function deviceReasonOf(error: unknown, isScreen: boolean): RoomErrorReason {
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
