import type { RoomSnapshot } from '@parley/client/join'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNameOf, useSnapshot, useVisited } from '../room-context.ts'
import { type Announcement, announce, type Happening, happeningsBetween } from './announcement.ts'

/** Events are collected for this long, so that the screen reader does not talk over people all the time. */
const gatherMs = 2_000

/** Announce the room's events to screen readers. */
export function Announcer() {
  const { t } = useTranslation('room')
  const nameOf = useNameOf()
  const { room } = useVisited()
  const snapshot = useSnapshot()
  const last = useRef(snapshot)
  const gathered = useRef<Happening[]>([])
  const [said, setSaid] = useState<readonly Announcement[]>([])
  useEffect(() => {
    const gather = (now: RoomSnapshot) => {
      // While reconnecting, the participants are unknown.
      if (now.status.phase === 'inside') gathered.current.push(...happeningsBetween(last.current, now))
      if (now.status.phase === 'inside') last.current = now
    }
    const timer = setInterval(() => {
      if (gathered.current.length === 0) return
      setSaid(announce(gathered.current))
      gathered.current = []
    }, gatherMs)
    const stop = room.subscribe(() => gather(room.snapshot()))
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [room])
  const words = said.map((one) => {
    // Fills the placeholders of every text.
    const name = 'name' in one ? nameOf(one) : ''
    return 'name' in one
      ? t(`announcements.${one.key}`, { name, text: one.text })
      : t(`announcements.${one.key}`, { count: one.count })
  })
  return (
    <div className="hidden" role="status" aria-live="polite" data-announcer>
      {words.join(' ')}
    </div>
  )
}
