import { useEffect, useState } from 'react'

/** The device's time, updated regularly. A hidden page updates it when it becomes visible. */
export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const update = () => setNow(new Date())
    const timer = setInterval(update, everyMs)
    document.addEventListener('visibilitychange', update)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [everyMs])
  return now
}

/** The device's time in milliseconds, for a single read. */
export const readClockMs = (): number => Date.now()
