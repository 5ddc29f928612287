import { useEffect, useState } from 'react'

/** The device's time, updated regularly. A hidden page updates it when it becomes visible. */
export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const tell = () => setNow(new Date())
    const timer = setInterval(tell, everyMs)
    document.addEventListener('visibilitychange', tell)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tell)
    }
  }, [everyMs])
  return now
}

/** The device's time in milliseconds, for a single read. */
export const readClockMs = (): number => Date.now()
