import type { Profile } from '@parley/contract'

type People = { userId: string; cohosts: readonly string[] }

/** The reader's role in a meeting, to choose what the page offers; the server decides again. */
export function statusOf(person: Profile, { userId, cohosts }: People): 'host' | 'cohost' | 'participant' {
  if (userId === person._id) return 'host'
  const email = person.email.toLowerCase()
  return cohosts.some((address) => address.toLowerCase() === email) ? 'cohost' : 'participant'
}

/** An account that added the meeting by its link is neither invited nor a host. */
export const isAddedByLink = (
  person: Profile,
  meeting: People & { participants: readonly { email: string }[] },
): boolean =>
  statusOf(person, meeting) === 'participant' &&
  !meeting.participants.some(({ email }) => email.toLowerCase() === person.email.toLowerCase())

/**
 * Whether a meeting is shown for administration alone: the Meeting ID, every link, the description and the people are
 * withheld then.
 */
export const isForAdministration = ({ svcMeetId }: { svcMeetId: string }): boolean => svcMeetId === ''

/** The code in groups, as it is read aloud: `965 191 2175`. */
export const writeCode = (code: string): string => code.replace(/^(\d{3})(\d{3})(\d{4})$/, '$1 $2 $3')

type Named = { name?: string; lname?: string; displayName?: string }

/**
 * `Ann Lee`, without a stray space when one name is empty. The name that people have chosen precedes `displayName`, which
 * a host has given.
 */
export const writeName = ({ name = '', lname = '', displayName = '' }: Named): string =>
  `${name} ${lname}`.trim() || displayName
