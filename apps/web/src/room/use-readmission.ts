import { listen } from '@parley/client'
import { type RoomState, watchAdmission } from '@parley/contract'
import { useEffect, useRef } from 'react'
import { connection } from '../session/client.ts'

/** Still declined, or asking again in another window. */
const undecided: ReadonlySet<RoomState> = new Set(['denied', 'waiting', 'waiting_for_host'])

type Declined = { code: string; admissionId: string | undefined; onAdmitted(): void }

/** A host may still admit a person who was declined or removed; listen for that, so that no reload is needed. */
export function useReadmission({ code, admissionId, onAdmitted }: Declined): void {
  const report = useRef(onAdmitted)
  report.current = onAdmitted
  useEffect(() => {
    if (admissionId === undefined) return
    const over = new AbortController()
    const watch = async () => {
      const params = { svcMeetId: code, admissionId }
      for await (const { state } of listen(connection, watchAdmission, { params }, { signal: over.signal })) {
        if (undecided.has(state) || over.signal.aborted) continue
        report.current()
        return
      }
    }
    // An admission that was deleted has no further events.
    watch().catch(() => {})
    return () => over.abort()
  }, [code, admissionId])
}
