import { useCallback, useEffect, useRef } from 'react'

/**
 * Whether the component is still on the page once the replies are rendered that have been read until now: TanStack Query
 * tells components of them in a task of its own.
 */
export function useIsShown(): () => Promise<boolean> {
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return useCallback(async () => {
    await new Promise((resolve) => setTimeout(resolve))
    return isShown.current
  }, [])
}
