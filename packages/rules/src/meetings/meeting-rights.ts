/**
 * A person's role in a meeting; the strongest one counts. Cohosts and administrators each have a right that the other
 * lacks.
 */
export type MeetingRole = 'host' | 'cohost-and-administrator' | 'cohost' | 'administrator' | 'participant' | 'none'

export type MeetingRights = {
  /** Without it the meeting is not found, unless the person has added it to their list. */
  read: boolean
  change: boolean
  /** The host key, the host PIN and the participants' phone numbers. */
  seeHostFields: boolean
  /** The other participants and the host's address. People who came by a link alone do not see them. */
  seePeople: boolean
  /** Remove a cohost's rights. */
  removeCohost: boolean
}

const rights: Record<MeetingRole, MeetingRights> = {
  host: { read: true, change: true, seeHostFields: true, seePeople: true, removeCohost: true },
  'cohost-and-administrator': { read: true, change: true, seeHostFields: true, seePeople: true, removeCohost: true },
  cohost: { read: true, change: true, seeHostFields: true, seePeople: true, removeCohost: false },
  administrator: { read: true, change: true, seeHostFields: false, seePeople: true, removeCohost: true },
  participant: { read: true, change: false, seeHostFields: false, seePeople: true, removeCohost: false },
  none: { read: false, change: false, seeHostFields: false, seePeople: false, removeCohost: false },
}

/** The rights of a role. */
export const rightsOver = (role: MeetingRole): MeetingRights => rights[role]

export type Reader = {
  accountId: string
  tenantId: string
  administrator: boolean
  /** Null while the address is not verified: an unverified address gives no role. */
  addressKey: string | null
}

export type MeetingPeople = {
  host: { id: string; tenantId: string }
  people: readonly { addressKey: string; cohost: boolean }[]
}

/** Find the role in which an app acts for a person: as host or participant only, never as cohost or administrator. */
export function findMeetingRoleForApp(reader: Reader, meeting: MeetingPeople): MeetingRole {
  const role = findMeetingRole({ ...reader, administrator: false }, meeting)
  return role === 'cohost' ? 'participant' : role
}

/** Find a person's strongest role in a meeting, by account, verified address and tenant. */
export function findMeetingRole(reader: Reader, { host, people }: MeetingPeople): MeetingRole {
  if (host.id === reader.accountId) return 'host'
  const person = people.find(({ addressKey }) => addressKey === reader.addressKey)
  const administrator = reader.administrator && reader.tenantId === host.tenantId
  if (person?.cohost) return administrator ? 'cohost-and-administrator' : 'cohost'
  if (administrator) return 'administrator'
  return person === undefined ? 'none' : 'participant'
}
