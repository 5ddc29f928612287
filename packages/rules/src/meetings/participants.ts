import { addressKey, isEmailAddress } from '../text/email-address.ts'
import { findGuestNameViolation, guestNameOf, readMailbox } from '../text/mailbox.ts'
import { type Parsed, refuse } from '../text/parsed.ts'
import { type Violation, violationAt } from '../text/violation.ts'

export const maxParticipants = 1000
export const maxCohosts = 100

/** A person who is invited to a meeting, has the host's rights over it, or both. */
export type MeetingPerson = {
  email: string
  addressKey: string
  invited: boolean
  cohost: boolean
  /** What the host calls them; empty for no name, absent where a request does not say it. */
  displayName?: string
}

/** Types checked. Fields that the schema refused are undefined. */
export type SentParticipants = {
  participants?: readonly (string | SentParticipant | undefined)[] | undefined
  cohosts?: readonly (string | undefined)[] | undefined
}

type SentParticipant = { email: string | undefined; displayName?: string | undefined }

/** An address, why it takes part, and the name that is given to it. */
type Entry = { email: string; role: 'invited' | 'cohost'; displayName?: string | undefined }

/**
 * Read the participants of a meeting, in request order. Entries with the same address, compared case-insensitively, are
 * one person with the last name that is given; the host's own address is dropped where it is known.
 */
export function readParticipants(
  sent: SentParticipants,
  hostAddressKey: string | undefined,
): Parsed<readonly MeetingPerson[]> {
  const entries = entriesOf(sent)
  const { valid = [], malformed = [] } = Object.groupBy(entries, ({ email }) =>
    isEmailAddress(email) ? 'valid' : 'malformed',
  )
  const byAddress = new Map<string, MeetingPerson>()
  for (const entry of valid) addRole(byAddress, entry)
  if (hostAddressKey !== undefined) byAddress.delete(hostAddressKey)
  const people = [...byAddress.values()]
  const violations = [
    ...entries.flatMap(violationsOfName),
    ...malformed.map(({ path }) => violationAt(path, { code: 'bad_format', message: 'is not an email address' })),
    ...violationsOfCount('participants', maxParticipants, people.filter((person) => person.invited).length),
    ...violationsOfCount('cohosts', maxCohosts, people.filter((person) => person.cohost).length),
  ]
  return violations.length > 0 ? refuse(...violations) : { value: people }
}

/** Keep the names of people to whom a request gives none. */
export function keepNames(
  people: readonly MeetingPerson[],
  stored: readonly MeetingPerson[],
): readonly MeetingPerson[] {
  const names = new Map(stored.map(({ addressKey, displayName }) => [addressKey, displayName]))
  return people.map((person) => {
    const displayName = person.displayName ?? names.get(person.addressKey)
    return displayName === undefined ? person : { ...person, displayName }
  })
}

/** Find the people of `stored` who have another name in `people`. */
export function renamedPeople<Person extends Named>(people: readonly Person[], stored: readonly Named[]): Person[] {
  const names = new Map(stored.map(({ addressKey, displayName = '' }) => [addressKey, displayName]))
  return people.filter(({ addressKey, displayName = '' }) => (names.get(addressKey) ?? displayName) !== displayName)
}

type Named = Pick<MeetingPerson, 'addressKey' | 'displayName'>

/** Add cohosts that a request did not name, and drop the host. */
export function completeParticipants(
  people: readonly MeetingPerson[],
  { cohosts, hostAddressKey }: { cohosts: readonly string[]; hostAddressKey: string },
): readonly MeetingPerson[] {
  const byAddress = new Map(people.map((person) => [person.addressKey, person]))
  for (const email of cohosts) addRole(byAddress, { email, role: 'cohost' })
  byAddress.delete(hostAddressKey)
  return [...byAddress.values()]
}

/** Replace the invited people, the cohosts or both by those that a request names, and drop the host. */
export function replaceRoles(
  people: readonly MeetingPerson[],
  sent: { participants: readonly MeetingPerson[]; namesInvited: boolean; namesCohosts: boolean },
  hostAddressKey: string,
): readonly MeetingPerson[] {
  const invited = (sent.namesInvited ? sent.participants : people).filter((person) => person.invited)
  const cohosts = (sent.namesCohosts ? sent.participants : people).filter((person) => person.cohost)
  const byAddress = new Map<string, MeetingPerson>()
  for (const { email, displayName } of invited) addRole(byAddress, { email, role: 'invited', displayName })
  for (const { email, displayName } of cohosts) addRole(byAddress, { email, role: 'cohost', displayName })
  byAddress.delete(hostAddressKey)
  return keepNames([...byAddress.values()], people)
}

/** Whether two lists contain the same people, in any order. */
export const isSamePeople = (some: readonly Addressed[], others: readonly Addressed[]): boolean =>
  some.length === others.length &&
  new Set([...some, ...others].map(({ addressKey }) => addressKey)).size === some.length

type Addressed = Pick<MeetingPerson, 'addressKey'>

const entriesOf = ({ participants = [], cohosts = [] }: SentParticipants): (Entry & { path: string })[] => [
  ...participants.flatMap((participant, index) => {
    if (typeof participant === 'string') {
      const { address: email, name } = readMailbox(participant)
      const displayName = name === '' ? undefined : name
      return [{ email, displayName, path: `/participants/${index}`, role: 'invited' as const }]
    }
    if (participant?.email === undefined) return []
    const { email, displayName } = participant
    return [{ email, displayName, path: `/participants/${index}/email`, role: 'invited' as const }]
  }),
  ...cohosts.flatMap((email, index) =>
    email === undefined ? [] : [{ email, path: `/cohosts/${index}`, role: 'cohost' as const }],
  ),
]

function addRole(people: Map<string, MeetingPerson>, { email, role, displayName }: Entry) {
  const key = addressKey(email)
  const person = people.get(key) ?? { email, addressKey: key, invited: false, cohost: false }
  const name = displayName === undefined ? undefined : displayName.trim() && (guestNameOf(displayName) || undefined)
  people.set(key, { ...person, [role]: true, ...(name !== undefined && { displayName: name }) })
}

/** Address books repeat an address as its name: that is no name, and no fault. */
function violationsOfName({ email, displayName, path }: Entry & { path: string }): Violation[] {
  if (displayName === undefined || addressKey(displayName.trim()) === addressKey(email)) return []
  const violation = findGuestNameViolation(displayName)
  return violation === undefined ? [] : [violationAt(path.replace(/\/email$/, '/displayName'), violation)]
}

const violationsOfCount = (field: string, limit: number, count: number) =>
  count <= limit ? [] : [violationAt(`/${field}`, { code: 'too_many', message: `must hold at most ${limit} people` })]
