/** The secret of a join link: a meeting's PIN, or the key that makes its bearer the host. */
export type JoinSecret = { pin?: string; hostKey?: string }

const prefix = 'parley-join:'

/**
 * Store the secret of a join link in this tab only, never in an address, where a history, a screenshot or a server
 * would have it. It survives a reload, a step back and the sign-in page; it ends with the tab and on signing out.
 */
export function keepSecret(storage: Storage, code: string, { pin, hostKey }: JoinSecret): void {
  try {
    storage.setItem(prefix + code, JSON.stringify({ pin, hostKey }))
  } catch {
    // Storage is full or blocked; a reload asks for the PIN again.
  }
}

export function keptSecret(storage: Storage, code: string): JoinSecret {
  try {
    return readSecret(JSON.parse(storage.getItem(prefix + code) ?? 'null'))
  } catch {
    return {}
  }
}

/** Delete a wrong secret, so that a reload does not send it again: each attempt counts. */
export const clearSecret = (storage: Storage, code: string): void => storage.removeItem(prefix + code)

/** Delete all secrets, because the next user of this browser may be another person. */
export function clearSecrets(storage: Storage): void {
  const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '')
  for (const key of keys) if (key.startsWith(prefix)) storage.removeItem(key)
}

/** Validated, because other versions of the page or the user may have written any value. */
function readSecret(value: unknown): JoinSecret {
  const { pin, hostKey } = Object(value)
  return {
    ...(typeof pin === 'string' && pin !== '' && { pin }),
    ...(typeof hostKey === 'string' && hostKey !== '' && { hostKey }),
  }
}
