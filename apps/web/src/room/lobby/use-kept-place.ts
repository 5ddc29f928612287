import { listen } from '@parley/client'
import { type Entering, watchAdmission } from '@parley/contract'
import { useEffect } from 'react'

type KeptPlace = { code: string; entering: Entering; keep: boolean }

/**
 * Keep the place in the waiting room while the lobby is open. Accounts wait from the moment the page opens; guests
 * enter a name first. An open stream keeps the place; the button requests the current state again.
 */
export function useKeptPlace({ code, entering: { state, admissionId }, keep }: KeptPlace): void {
  const waits = keep && (state === 'waiting' || state === 'waiting_for_host')
  useEffect(() => {
    if (!waits || admissionId === undefined) return
    const over = new AbortController()
    void hold(code, admissionId, over.signal)
    return () => over.abort()
  }, [waits, code, admissionId])
}

async function hold(svcMeetId: string, admissionId: string, signal: AbortSignal): Promise<void> {
  try {
    for await (const { state } of listen(
      { base: '' },
      watchAdmission,
      { params: { svcMeetId, admissionId } },
      { signal },
    )) {
      if (state !== 'waiting' && state !== 'waiting_for_host') return
    }
  } catch {
    // The place is lost; the button requests it again.
  }
}
