import { useEffect, useState } from 'react'

const keyOf = (code: string) => `parley-inside:${code}`

/** Record that this tab is in the call. A reload skips the cleanup; leaving and navigating away run it. */
export function useInsideHere(code: string, inside: boolean): void {
  useEffect(() => {
    if (!inside) return
    sessionStorage.setItem(keyOf(code), 'true')
    return () => sessionStorage.removeItem(keyOf(code))
  }, [code, inside])
}

/** Whether this tab was in the call before a reload: the service may not know yet that it has left. */
export function useWasInsideHere(code: string): boolean {
  const [was] = useState(() => sessionStorage.getItem(keyOf(code)) !== null)
  return was
}
