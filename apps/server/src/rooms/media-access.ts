import type { RoomMedia, RoomRole } from '@parley/contract'

/** An admitted person, as the media engine knows them. */
export type AdmittedPerson = {
  meetingId: string
  /** The participant identity in the room. It cannot be guessed and reveals nothing about the person. */
  admissionId: string
  /** As other participants see it; empty for a guest without a name. */
  name: string
  role: RoomRole
  /** They have no account, so that their name is only what they say. */
  guest: boolean
  hardMuted: boolean
}

/** Grants admitted people access to media. */
export type MediaAccess = {
  /**
   * Grant one person access to one room for two minutes. Call it only after the admission is committed.
   * @throws media_unavailable
   */
  grant(person: AdmittedPerson): Promise<RoomMedia>
}
