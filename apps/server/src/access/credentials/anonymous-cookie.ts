import type { Random } from '../../platform/random.ts'

/** A cookie that identifies a browser without a session. */
export type AnonymousCookie = {
  /** Undefined when there is no well-formed value, or more than one. */
  read(header: string | undefined): string | undefined
  make(): { id: string; setCookie: string }
}

type AnonymousCookieOptions = { name: string; baseUrl: string; random: Random }

/**
 * Create a session cookie of 256 random bits that scripts cannot read. Under https the `__Host-` prefix keeps
 * neighbours under the same domain from planting one (RFC 6265bis, 4.1.3.2).
 */
export function createAnonymousCookie({ name, baseUrl, random }: AnonymousCookieOptions): AnonymousCookie {
  const secure = baseUrl.startsWith('https:')
  const fullName = secure ? `__Host-${name}` : name
  return {
    read(header = '') {
      const pairs = header.split(';').map((pair) => pair.trim())
      const [id, ...others] = pairs
        .filter((pair) => pair.startsWith(`${fullName}=`))
        .map((pair) => pair.slice(fullName.length + 1))
      return id !== undefined && others.length === 0 && /^[\w-]{43}$/.test(id) ? id : undefined
    },
    make() {
      const id = random.bytes(32).toString('base64url')
      return { id, setCookie: `${fullName}=${id}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}` }
    },
  }
}

/** Create the cookie that identifies a guest without an account. */
export const createGuestCookie = (options: { baseUrl: string; random: Random }): AnonymousCookie =>
  createAnonymousCookie({ name: 'parley_guest', ...options })
