import type { RoomMedia, RoomRole } from '@parley/contract'

/** Somebody who was admitted, as sound and pictures know them. */
export type AdmittedPerson = {
  meetingId: string
  /** Who they are inside: nobody can guess it, and it says nothing of them. */
  admissionId: string
  /** As others see it; empty for a guest who gave none. */
  name: string
  role: RoomRole
  hardMuted: boolean
}

/** Where the rights to sound and pictures come from. */
export type MediaAccess = {
  /**
   * The right of one person to be in one room, valid for two minutes. Asked for after the admission was committed, and
   * for nobody else.
   * @throws media_unavailable
   */
  grant(person: AdmittedPerson): Promise<RoomMedia>
}
