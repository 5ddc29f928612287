import type { Random } from '../platform/random.ts'

/** What tells one browser from another before anybody has signed in there, so that a form can be bound to it. */
export type BrowserCookie = {
  /** Undefined when there is none of the right form, or more than one. */
  read(header: string | undefined): string | undefined
  make(): { id: string; setCookie: string }
}

/** Ends with the browser's session. Under https no neighbour under the same domain can plant one (`__Host-`). */
export function createBrowserCookie(baseUrl: string, random: Random): BrowserCookie {
  const secure = baseUrl.startsWith('https:')
  const name = secure ? '__Host-parley_browser' : 'parley_browser'
  return {
    read(header = '') {
      const pairs = header.split(';').map((pair) => pair.trim())
      const [id, ...others] = pairs.filter((pair) => pair.startsWith(`${name}=`)).map((p) => p.slice(name.length + 1))
      return id !== undefined && others.length === 0 && /^[\w-]{43}$/.test(id) ? id : undefined
    },
    make() {
      const id = random.bytes(32).toString('base64url')
      return { id, setCookie: `${name}=${id}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}` }
    },
  }
}
