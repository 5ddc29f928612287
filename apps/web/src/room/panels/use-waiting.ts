import type { RoomWatch } from '@parley/contract'
import { useRef } from 'react'
import { readClockMs, useNow } from '../../ui/hooks/use-now.ts'
import { isNamed, type WaitingPerson } from './waiting-person.ts'

/** A guest who only looks at the door is forgotten by the service sooner than this. */
const shownNamelessAfterMs = 12_000
const lookEveryMs = 3_000

/** Who waits. A guest who has said no name yet is getting ready, unless they wait on without one. */
export function useWaiting(door: RoomWatch | null): readonly WaitingPerson[] {
  const firstSeen = useRef(new Map<string, number>())
  const now = useNow(lookEveryMs)
  const waiting = door?.waiting ?? []
  const before = firstSeen.current
  firstSeen.current = new Map(waiting.map(({ admissionId: id }) => [id, before.get(id) ?? readClockMs()]))
  return waiting.filter(
    (person) =>
      isNamed(person) || now.getTime() - (firstSeen.current.get(person.admissionId) ?? 0) > shownNamelessAfterMs,
  )
}
