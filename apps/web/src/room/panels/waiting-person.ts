import type { RoomWatch } from '@parley/contract'

export type WaitingPerson = RoomWatch['waiting'][number]

/** A guest without a name has not filled in the lobby's form yet. */
export const isNamed = ({ name, email }: Pick<WaitingPerson, 'name' | 'email'>): boolean =>
  name !== '' || email !== null
