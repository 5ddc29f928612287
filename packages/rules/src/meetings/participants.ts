import { addressKey, isEmailAddress } from '../text/email-address.ts'
import { type Parsed, refuse } from '../text/parsed.ts'
import { violationAt } from '../text/violation.ts'

export const maxParticipants = 1000
export const maxCohosts = 100

/** A person who is invited to a meeting, has the host's rights over it, or both. */
export type MeetingPerson = {
  email: string
  addressKey: string
  invited: boolean
  cohost: boolean
}

/** Types checked. Fields that the schema refused are undefined. */
export type SentParticipants = {
  participants?: readonly (string | { email: string | undefined } | undefined)[] | undefined
  cohosts?: readonly (string | undefined)[] | undefined
}

/** An address, and why it takes part. */
type Entry = { email: string; role: 'invited' | 'cohost' }

/**
 * Read the participants of a meeting, in request order. Entries with the same address, compared case-insensitively, are
 * one person; the host's own address is dropped where it is known.
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
    ...malformed.map(({ path }) => violationAt(path, { code: 'bad_format', message: 'is not an email address' })),
    ...violationsOfCount('participants', maxParticipants, people.filter((person) => person.invited).length),
    ...violationsOfCount('cohosts', maxCohosts, people.filter((person) => person.cohost).length),
  ]
  return violations.length > 0 ? refuse(...violations) : { value: people }
}

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
  for (const { email } of invited) addRole(byAddress, { email, role: 'invited' })
  for (const { email } of cohosts) addRole(byAddress, { email, role: 'cohost' })
  byAddress.delete(hostAddressKey)
  return [...byAddress.values()]
}

/** Whether two lists contain the same people, in any order. */
export const isSamePeople = (some: readonly Addressed[], others: readonly Addressed[]): boolean =>
  some.length === others.length &&
  new Set([...some, ...others].map(({ addressKey }) => addressKey)).size === some.length

type Addressed = Pick<MeetingPerson, 'addressKey'>

const entriesOf = ({ participants = [], cohosts = [] }: SentParticipants): (Entry & { path: string })[] => [
  ...participants.flatMap((participant, index) => {
    if (typeof participant === 'string') {
      return [{ email: participant, path: `/participants/${index}`, role: 'invited' as const }]
    }
    if (participant?.email === undefined) return []
    return [{ email: participant.email, path: `/participants/${index}/email`, role: 'invited' as const }]
  }),
  ...cohosts.flatMap((email, index) =>
    email === undefined ? [] : [{ email, path: `/cohosts/${index}`, role: 'cohost' as const }],
  ),
]

function addRole(people: Map<string, MeetingPerson>, { email, role }: Entry) {
  const key = addressKey(email)
  const person = people.get(key) ?? { email, addressKey: key, invited: false, cohost: false }
  people.set(key, { ...person, [role]: true })
}

const violationsOfCount = (field: string, limit: number, count: number) =>
  count <= limit ? [] : [violationAt(`/${field}`, { code: 'too_many', message: `must hold at most ${limit} people` })]
