/** A person's role in a meeting; the strongest one counts. `added`: only on the list of the person, by its link. */
export type MeetingRole = 'host' | 'cohost' | 'participant' | 'added' | 'none'

/** The rights over a meeting. Each is asked for by its name; none of them implies another. */
export const meetingRights = [
  /** Topic, times, host and how many have answered. Without it the meeting is not found. */
  'read',
  /** The description, the PIN and the links to enter. */
  'seeContent',
  /** The other participants and the host's address. People who came by a link alone do not see them. */
  'seePeople',
  /** The host key, the host PIN, answers, attendance and the participants' phone numbers. */
  'seeHostFields',
  /** Times, zone, repetition and reminder, of the meeting or of one date. */
  'reschedule',
  'cancel',
  /** Topic, description and options: what guests read in the host's name, and what protects the room. */
  'changeContent',
  /** Invite people, remove them, and mail them the invitation again. */
  'changePeople',
  'nameCohosts',
  'removeCohost',
] as const
export type MeetingRight = (typeof meetingRights)[number]

const ofCohost: readonly MeetingRight[] = meetingRights.filter((right) => right !== 'removeCohost')

/** The rights that the meeting itself gives. */
const rights: Record<MeetingRole, readonly MeetingRight[]> = {
  host: meetingRights,
  cohost: ofCohost,
  participant: ['read', 'seeContent', 'seePeople'],
  added: ['read', 'seeContent'],
  none: [],
}

/**
 * The rights of an administrator over the meetings of the organisation: dates can be corrected and cancelled when the
 * host has left. These rights lead to no other right: with them an administrator sees and changes no secret, no person
 * and no text of the meeting, and cannot become a participant or a host.
 */
const ofAdministrator: readonly MeetingRight[] = ['read', 'reschedule', 'cancel']

/**
 * How a right was gained. The use of a right that comes from `administration` is recorded, and the host is notified.
 */
type RightSource = 'meeting' | 'administration'

/** The rights of one person over one meeting. */
export type RightsOfPerson = {
  /** Whether the meeting itself gives a right. Only these decide what is shown. */
  has(right: MeetingRight): boolean
  /** How the person has a right; undefined without it. */
  sourceOf(right: MeetingRight): RightSource | undefined
}

/** The rights of a role. `administers`: the person is an administrator of the host's organisation. */
export function rightsOfRole(role: MeetingRole, administers: boolean): RightsOfPerson {
  const has = (right: MeetingRight) => rights[role].includes(right)
  // The host's fields are known to a cohost, so that removing another cohost reveals nothing.
  const added: readonly MeetingRight[] = has('seeHostFields') ? [...ofAdministrator, 'removeCohost'] : ofAdministrator
  const sourceOf = (right: MeetingRight): RightSource | undefined => {
    if (has(right)) return 'meeting'
    return administers && added.includes(right) ? 'administration' : undefined
  }
  return { has, sourceOf }
}

export type Reader = {
  accountId: string
  /** Null while the address is not verified: an unverified address gives no role. */
  addressKey: string | null
}

export type MeetingPeople = {
  host: { id: string }
  people: readonly { addressKey: string; cohost: boolean }[]
}

/** Find the role in which an app acts for a person: as host or participant only, never as cohost. */
export function findMeetingRoleForApp(reader: Reader, meeting: MeetingPeople): Exclude<MeetingRole, 'added'> {
  const role = findMeetingRole(reader, meeting)
  return role === 'cohost' ? 'participant' : role
}

/** Find a person's strongest role in a meeting, by account and verified address. */
export function findMeetingRole(reader: Reader, { host, people }: MeetingPeople): Exclude<MeetingRole, 'added'> {
  if (host.id === reader.accountId) return 'host'
  const person = people.find(({ addressKey }) => addressKey === reader.addressKey)
  if (person === undefined) return 'none'
  return person.cohost ? 'cohost' : 'participant'
}
