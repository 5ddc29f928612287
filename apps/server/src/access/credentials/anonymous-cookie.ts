import type { Random } from '../../platform/random.ts'

/** What tells one browser from another where nobody has to sign in. */
export type AnonymousCookie = {
  /** Undefined when there is none of the right form, or more than one. */
  read(header: string | undefined): string | undefined
  make(): { id: string; setCookie: string }
}

export type AnonymousCookieOptions = { name: string; baseUrl: string; random: Random }

/**
 * 256 random bits that end with the browser's session, and that no script reads. Under https no neighbour under the same
 * domain can plant one (`__Host-`).
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
