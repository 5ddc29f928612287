/**
 * A meeting's PIN has six letters and digits; the host's PIN for phones is longer (docs/api-conventions.md,
 * "Meetings").
 */
const pinOfMeeting = /^[a-z0-9]{6}$/i

/** The PIN for an invitation; undefined when the caller joined with a host's secret. */
export const sharedPin = (pin: string | undefined): string | undefined =>
  pin !== undefined && pinOfMeeting.test(pin) ? pin.toLowerCase() : undefined
