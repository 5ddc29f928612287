import type { RoomWatch } from '@parley/contract'
import { useRef } from 'react'
import { readClockMs, useNow } from '../../ui/hooks/use-now.ts'

/** The service drops a guest who only looks at the join page sooner than this. */
const shownNamelessAfterMs = 12_000
const checkEveryMs = 3_000

/** The waiting people. A guest without a name is still in the lobby, unless they keep waiting without one. */
export function useWaiting(watch: RoomWatch | null): readonly WaitingPerson[] {
  const firstSeen = useRef(new Map<string, number>())
  const now = useNow(checkEveryMs)
  const waiting = watch?.waiting ?? []
  const before = firstSeen.current
  firstSeen.current = new Map(waiting.map(({ admissionId: id }) => [id, before.get(id) ?? readClockMs()]))
  return waiting.filter(
    (person) =>
      isNamed(person) || now.getTime() - (firstSeen.current.get(person.admissionId) ?? 0) > shownNamelessAfterMs,
  )
}

export type WaitingPerson = RoomWatch['waiting'][number]

/** A guest without a name has not filled in the lobby's form yet. */
export const isNamed = ({ name, email }: Pick<WaitingPerson, 'name' | 'email'>): boolean =>
  name !== '' || email !== null
