import { sessionLifetimeMs } from './session-store.ts'

/** A session's token where a browser keeps it for our own pages (RFC 6265). */
export type SessionCookie = {
  /** The token in a request's Cookie header; undefined when there is none, or more than one. */
  read(header: string | undefined): string | undefined
  /** The Set-Cookie header that keeps the token for as long as the session lasts. */
  set(token: string): string
  /** The Set-Cookie header that makes the browser forget it. */
  clear(): string
}

/**
 * Under https the name begins with `__Host-`: browsers then take the cookie from this host alone, so that no neighbour
 * under the same domain can plant one. No script reads it, and other sites' forms do not send it.
 */
export function createSessionCookie(baseUrl: string): SessionCookie {
  const secure = baseUrl.startsWith('https:')
  const name = secure ? '__Host-parley_session' : 'parley_session'
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return {
    read(header) {
      if (header === undefined) return undefined
      const values = header
        .split(';')
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(`${name}=`))
        .map((pair) => pair.slice(name.length + 1))
      return values.length === 1 ? values[0] : undefined
    },
    set: (token) => `${name}=${token}; Max-Age=${sessionLifetimeMs / 1000}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  }
}
