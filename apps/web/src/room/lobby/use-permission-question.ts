import { useEffect, useRef, useState } from 'react'
import type { DeviceKind } from './use-devices.ts'

/** The answer is kept, so that a browser that asks at each visit is not announced at each visit. */
const keptUnder = 'parley-devices-explained'

/** Said before the browser asks for the devices. */
export type PermissionQuestion = {
  devices: readonly DeviceKind[]
  /** The person lets the browser ask, or leaves the devices off. */
  answer(uses: boolean): void
}

/**
 * Explain once what the browser is about to ask, where it would ask for these devices. The person who joins without an
 * answer is asked by the browser at once.
 * @param devices those that start switched on
 * @returns the question while it is open, and whether the browser may ask now
 */
export function usePermissionQuestion(
  devices: readonly DeviceKind[],
  { inLobby, onDecline }: { inLobby: boolean; onDecline(): void },
): { question: PermissionQuestion | undefined; mayAsk: boolean } {
  const [state, setState] = useState<'unknown' | 'open' | 'settled'>(() =>
    devices.length === 0 || localStorage.getItem(keptUnder) !== null ? 'settled' : 'unknown',
  )
  const atFirst = useRef(devices)
  useEffect(() => {
    if (state !== 'unknown') return
    let gone = false
    void wouldAsk(atFirst.current).then((asks) => !gone && setState(asks ? 'open' : 'settled'))
    return () => {
      gone = true
    }
  }, [state])
  const answer = (uses: boolean) => {
    localStorage.setItem(keptUnder, 'yes')
    if (!uses) onDecline()
    setState('settled')
  }
  return {
    question: state === 'open' && inLobby ? { devices: atFirst.current, answer } : undefined,
    mayAsk: state === 'settled' || !inLobby,
  }
}

/** Whether the browser would ask for one of these devices. */
async function wouldAsk(devices: readonly DeviceKind[]): Promise<boolean> {
  try {
    const permissions = await Promise.all(devices.map((name) => navigator.permissions.query({ name })))
    return permissions.some(({ state }) => state === 'prompt')
  } catch {
    // Firefox before 132 does not know these permissions.
    return false
  }
}
