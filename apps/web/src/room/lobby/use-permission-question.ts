import { useEffect, useRef, useState } from 'react'
import type { DeviceKind } from './use-devices.ts'

/** The answer is kept, so that a browser that asks at each visit is not announced at each visit. */
const keptUnder = 'parley-devices-explained'

/** Said before the browser asks for the devices. */
export type PermissionQuestion = {
  /** Those for which the browser would ask. */
  devices: readonly DeviceKind[]
  /** The person lets the browser ask, or leaves these devices off. */
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
  { inLobby, onDecline }: { inLobby: boolean; onDecline(declined: readonly DeviceKind[]): void },
): { question: PermissionQuestion | undefined; mayAsk: boolean } {
  /** The devices to be asked for: undefined until that is known, none once nothing is open. */
  const [asked, setAsked] = useState<readonly DeviceKind[] | undefined>(() =>
    devices.length === 0 || localStorage.getItem(keptUnder) !== null ? [] : undefined,
  )
  const atFirst = useRef(devices)
  useEffect(() => {
    if (asked !== undefined) return
    let gone = false
    void findToBeAsked(atFirst.current).then((found) => !gone && setAsked(found))
    return () => {
      gone = true
    }
  }, [asked])
  const answer = (uses: boolean) => {
    localStorage.setItem(keptUnder, 'yes')
    if (!uses) onDecline(asked ?? [])
    setAsked([])
  }
  return {
    question: inLobby && asked !== undefined && asked.length > 0 ? { devices: asked, answer } : undefined,
    mayAsk: asked?.length === 0 || !inLobby,
  }
}

/** Those of the devices for which the browser would ask. */
async function findToBeAsked(devices: readonly DeviceKind[]): Promise<DeviceKind[]> {
  try {
    const permissions = await Promise.all(devices.map((name) => navigator.permissions.query({ name })))
    return devices.filter((_, index) => permissions[index]?.state === 'prompt')
  } catch {
    // Firefox before 132 does not know these permissions.
    return []
  }
}
