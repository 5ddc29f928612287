/** A meeting's PIN has six letters and digits; the host's PIN for phones is longer (meetings.md 1). */
const pinOfMeeting = /^[a-z0-9]{6}$/i

/** The PIN to hand on with an invitation: none where one came in by what makes its bearer the host. */
export const sharedPin = (pin: string | undefined): string | undefined =>
  pin !== undefined && pinOfMeeting.test(pin) ? pin.toLowerCase() : undefined
