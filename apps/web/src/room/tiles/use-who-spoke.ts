import type { Participant } from '@parley/client/join'
import { useState } from 'react'

/** Whoever spoke before these is forgotten. */
const maxRemembered = 4

/** Who spoke, the latest first; who speaks on keeps the place. */
export function useWhoSpoke(people: readonly Participant[]): readonly string[] {
  const [spoke, setSpoke] = useState<readonly string[]>([])
  const speaking = people.filter((person) => person.speaking && !person.isMe).map(({ id }) => id)
  const [latest] = spoke
  // While the last speaker goes on, others who join in do not take the place.
  if (speaking.length === 0 || (latest !== undefined && speaking.includes(latest))) return spoke
  const next = [...new Set([...speaking, ...spoke])].slice(0, maxRemembered)
  setSpoke(next)
  return next
}
