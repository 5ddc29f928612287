import { listen } from '@parley/client'
import { type Entering, watchAdmission } from '@parley/contract'
import { useEffect } from 'react'

type KeptPlace = { code: string; entering: Entering; keep: boolean }

/**
 * Who has an account waits from the moment that the page is open, while they still look into the mirror; a guest has to
 * say a name first. The place is kept by a stream (rooms.md 1); what it tells is asked for again by the button.
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
    // The place is lost, and the button asks for it again.
  }
}
