export const meetings = 100_000
/** Meetings that are read, in rotation. */
export const meetingsRead = 10_000
/** Hosts who create meetings, in rotation; as many other people sign in. */
export const people = 50
/** Meetings of another host to which each host is invited. */
export const invitations = 200
export const refreshFamilies = 10_000
export const accessTokens = 5_000

const count = (value: number) => value.toLocaleString('en')

/** The data that all workloads use, as docs/performance.md describes it. */
export const dataDescription =
  `one host with ${count(meetings)} meetings of two participants, ${people} hosts who create, each host invited to ` +
  `${invitations} meetings of somebody else, ${people} accounts that sign in, one app with 501 connected users, ` +
  `${count(refreshFamilies)} refresh token families, ${count(accessTokens)} access tokens`
