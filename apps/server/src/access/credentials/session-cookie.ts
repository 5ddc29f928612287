import { sessionLifetimeMs } from './session-store.ts'

/** The cookie that holds a session's token (RFC 6265). */
export type SessionCookie = {
  /** Return the token of a Cookie header; undefined when there is none, or more than one. */
  read(header: string | undefined): string | undefined
  /** The Set-Cookie header that stores the token for the lifetime of the session. */
  set(token: string): string
  /** The Set-Cookie header that deletes the cookie. */
  clear(): string
}

/**
 * Under https the name begins with `__Host-`: browsers accept it from this host alone, so that neighbours under the
 * same domain cannot plant one. Scripts cannot read it, and cross-site forms do not send it (SameSite=Lax).
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
