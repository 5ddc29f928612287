import type { Participant } from '@parley/client/join'
import { useState } from 'react'

/** Earlier speakers are dropped. */
const maxRemembered = 4

/** The recent speakers, latest first; a continuing speaker keeps the position. */
export function useRecentSpeakers(people: readonly Participant[]): readonly string[] {
  const [spoke, setSpoke] = useState<readonly string[]>([])
  const speaking = people.filter((person) => person.speaking && !person.isMe).map(({ id }) => id)
  const [latest] = spoke
  // While the last speaker continues, others who join in do not take the position.
  if (speaking.length === 0 || (latest !== undefined && speaking.includes(latest))) return spoke
  const next = [...new Set([...speaking, ...spoke])].slice(0, maxRemembered)
  setSpoke(next)
  return next
}
