import { type AllowedRights, allRights, type RoomRight, type RoomRole, roomRights } from '@parley/contract'
import type { Occurrence } from '../recurrence/recurrence.ts'

/** What hosts have decided of each right, for all or for one person; a right that is absent is not decided. */
export type DecidedRights = Partial<AllowedRights>

type RoomRights = {
  role: RoomRole
  /** What a host has decided for this person since the last decision for all. */
  ofPerson: DecidedRights
  ofRoom: DecidedRights
  /** The meeting's option: participants stay muted until a host lets them speak. */
  hardMute: boolean
}

/** What a person in a room may do: the decision for the person comes before that for all, and this before the option. */
export function rightsIn({ role, ofPerson, ofRoom, hardMute }: RoomRights): AllowedRights {
  if (role !== 'participant') return allRights
  return { ...allRights, microphone: !hardMute, ...ofRoom, ...ofPerson }
}

/**
 * What holds of the decisions for all, made for an occurrence: in a series they apply to this one; a single meeting may
 * have been moved since.
 */
export function decidedForAll(
  { rights, rightsFor }: { rights: DecidedRights; rightsFor: Date | null },
  { occurrence, repeats }: { occurrence: Pick<Occurrence, 'originalStart'> | undefined; repeats: boolean },
): DecidedRights {
  const isForThisOne = !repeats || rightsFor?.getTime() === occurrence?.originalStart.getTime()
  return rightsFor !== null && isForThisOne ? rights : {}
}

/** The rights that differ. */
export const changedRightsOf = (one: AllowedRights, other: AllowedRights): RoomRight[] =>
  roomRights.filter((right) => one[right] !== other[right])
