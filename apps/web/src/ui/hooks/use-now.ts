import { useEffect, useState } from 'react'

/** The time of the device, told anew every so often. A page that is hidden catches up when it is seen again. */
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

/** The time of the device in milliseconds, for what happens once. */
export const readClockMs = (): number => Date.now()
