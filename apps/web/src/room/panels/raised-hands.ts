import type { Participant, RoomSnapshot } from '@parley/client/join'

/** Others whose hand is up, the first that was raised first. */
export const raisedHands = ({ others }: Pick<RoomSnapshot, 'others'>): readonly Participant[] =>
  others
    .filter(({ handPlace }) => handPlace !== null)
    .toSorted((one, other) => Number(one.handPlace) - Number(other.handPlace))
