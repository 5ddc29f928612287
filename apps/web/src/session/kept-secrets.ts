/** What a join link brings: the PIN of a meeting, or the key that makes its bearer the host. */
export type JoinSecret = { pin?: string; hostKey?: string }

const prefix = 'parley-join:'

/**
 * The secrets of join links, in this tab alone: never in an address, where a history, a screenshot or a server would have
 * them. They outlive a reload, a step back and the way over the sign-in page; they go with the tab, and with signing out.
 */
export function keepSecret(storage: Storage, code: string, { pin, hostKey }: JoinSecret): void {
  try {
    storage.setItem(prefix + code, JSON.stringify({ pin, hostKey }))
  } catch {
    // Full, or not allowed: then a reload asks for the PIN.
  }
}

export function keptSecret(storage: Storage, code: string): JoinSecret {
  try {
    return readSecret(JSON.parse(storage.getItem(prefix + code) ?? 'null'))
  } catch {
    return {}
  }
}

/** What is wrong must not be sent again by a reload: each time counts. */
export const clearSecret = (storage: Storage, code: string): void => storage.removeItem(prefix + code)

/** The next person at this browser is another one. */
export function clearSecrets(storage: Storage): void {
  const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '')
  for (const key of keys) if (key.startsWith(prefix)) storage.removeItem(key)
}

/** Other versions of the page, or a person with its tools, may have written anything there. */
function readSecret(value: unknown): JoinSecret {
  const { pin, hostKey } = Object(value)
  return {
    ...(typeof pin === 'string' && pin !== '' && { pin }),
    ...(typeof hostKey === 'string' && hostKey !== '' && { hostKey }),
  }
}
