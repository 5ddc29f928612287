import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { returnAddress } from '../session/return-address.ts'
import { readClockMs } from '../ui/hooks/use-now.ts'

const keptUnder = 'parley-return'

/** The lifetime of a mailed link and of an app's authorization request. */
const keptMs = 60 * 60 * 1000

/**
 * Store where to continue while the user opens a mail, whose link opens another tab of the same browser. The mail does
 * not have the address: another browser would otherwise take over a request that began in this one.
 */
export function keepReturn(address: string, now = readClockMs()): void {
  localStorage.setItem(keptUnder, JSON.stringify({ address, until: now + keptMs }))
}

/** The stored address; undefined when it has expired, is missing, or is not ours. */
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

/** The pages of an authorization request are rendered by the server. */
export const isServerPage = (address: string): boolean => address.startsWith('/oauth2/')

/** Open the requested page in place of the current one. */
export function useContinue(): (address: string) => void {
  const { history } = useRouter()
  return useCallback(
    (address) => {
      clearReturn()
      if (isServerPage(address)) window.location.replace(address)
      else history.replace(address)
    },
    [history],
  )
}
