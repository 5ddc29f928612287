import { returnAddress } from '../session/return-address.ts'
import { readClockMs } from '../ui/hooks/use-now.ts'

const keptUnder = 'parley-return'

/** As long as the link of a mail, and an app's request, are good for. */
const keptMs = 60 * 60 * 1000

/**
 * Where a person wants to go on to while they look for a mail, whose link opens another tab of the same browser. The mail
 * itself does not say: another browser would take over a request that was begun in this one.
 */
export function keepReturn(address: string, now = readClockMs()): void {
  localStorage.setItem(keptUnder, JSON.stringify({ address, until: now + keptMs }))
}

/** What was kept, until it is too old; undefined where nothing was, or it is no address of ours. */
export function keptReturn(now = readClockMs()): string | undefined {
  const { address, until } = read()
  return typeof until === 'number' && now < until ? returnAddress(address, window.location.origin) : undefined
}

export const clearReturn = (): void => localStorage.removeItem(keptUnder)

function read(): { address?: unknown; until?: unknown } {
  try {
    return Object(JSON.parse(localStorage.getItem(keptUnder) ?? '{}'))
  } catch {
    return {}
  }
}
