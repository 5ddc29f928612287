import { useEffect, useRef } from 'react'
import { usePerson } from '../../session/session.ts'
import { readClockMs } from '../../ui/hooks/use-now.ts'
import { readUndos } from './kept-undo.ts'
import { useUndo } from './use-undo.ts'

/** Read once, before anything is cancelled on this load. */
const fromBeforeReload = readUndos(readClockMs())

/** Offer again, after a reload, what can still be undone. */
export function useKeptUndos() {
  const { _id: accountId } = usePerson()
  const { show } = useUndo()
  const latest = useRef(show)
  latest.current = show
  useEffect(() => {
    const now = readClockMs()
    for (const kept of fromBeforeReload.splice(0))
      if (kept.accountId === accountId && kept.until > now) latest.current(kept)
  }, [accountId])
}
