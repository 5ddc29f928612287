import type { Participant, RoomSnapshot } from '@parley/client/join'

/** Other participants with a raised hand, in the order in which they were raised. */
export const raisedHands = ({ others }: Pick<RoomSnapshot, 'others'>): readonly Participant[] =>
  others.filter(({ handPlace }) => handPlace !== null).toSorted((a, b) => Number(a.handPlace) - Number(b.handPlace))
