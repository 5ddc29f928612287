/** What ties a person to a meeting; the strongest tie counts. A cohost and an administrator each may what the other may not. */
export type MeetingTie = 'host' | 'cohost-and-administrator' | 'cohost' | 'administrator' | 'participant' | 'none'

export type MeetingRights = {
  /** Who may not is told that there is no such meeting, unless they have added it to their list. */
  read: boolean
  change: boolean
  /** Host key, host PIN, and the participants' phone numbers (meetings.md 1 and 6). */
  seeHostFields: boolean
  /** Who else is invited, and the host's address: whoever came by a link alone is not shown them. */
  seePeople: boolean
  /** Taking a cohost's rights away (meetings.md 8.2). */
  removeCohost: boolean
}

const rights: Record<MeetingTie, MeetingRights> = {
  host: { read: true, change: true, seeHostFields: true, seePeople: true, removeCohost: true },
  'cohost-and-administrator': { read: true, change: true, seeHostFields: true, seePeople: true, removeCohost: true },
  cohost: { read: true, change: true, seeHostFields: true, seePeople: true, removeCohost: false },
  administrator: { read: true, change: true, seeHostFields: false, seePeople: true, removeCohost: true },
  participant: { read: true, change: false, seeHostFields: false, seePeople: true, removeCohost: false },
  none: { read: false, change: false, seeHostFields: false, seePeople: false, removeCohost: false },
}

/** What a person may do with a meeting (meetings.md 6, 8.2, 8.4). */
export const rightsOver = (tie: MeetingTie): MeetingRights => rights[tie]

export type Reader = {
  accountId: string
  tenantId: string
  administrator: boolean
  /** Null while the address is not confirmed: it opens nothing then. */
  addressKey: string | null
}

export type MeetingPeople = {
  host: { id: string; tenantId: string }
  people: readonly { addressKey: string; cohost: boolean }[]
}

/** An app acts for a person as host or as participant, and never with what else they are (meetings.md 6). */
export function tieThroughApp(reader: Reader, meeting: MeetingPeople): MeetingTie {
  const tie = tieBetween({ ...reader, administrator: false }, meeting)
  return tie === 'cohost' ? 'participant' : tie
}

export function tieBetween(reader: Reader, { host, people }: MeetingPeople): MeetingTie {
  if (host.id === reader.accountId) return 'host'
  const person = people.find(({ addressKey }) => addressKey === reader.addressKey)
  const administrator = reader.administrator && reader.tenantId === host.tenantId
  if (person?.cohost) return administrator ? 'cohost-and-administrator' : 'cohost'
  if (administrator) return 'administrator'
  return person === undefined ? 'none' : 'participant'
}
