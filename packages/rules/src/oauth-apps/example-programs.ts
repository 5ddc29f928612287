import type { ClientType } from '../oauth/client-type.ts'
import { isLoopback } from '../oauth/loopback.ts'

/** The issuer in the examples of docs/quick-starts.md. */
const pageIssuer = 'http://localhost:3000'

/** The callbacks of the example programs, by where they run. */
export const exampleCallbacks: Record<ClientType, string> = {
  confidential: 'http://localhost:8080/callback',
  native: 'http://127.0.0.1/callback',
  single_page: 'http://localhost:8080/app/',
}

/** Where the example programs listen, in each of their languages; no other number of theirs is this one. */
const pageOrigin = 'http://localhost:8080'
const pagePort = /\b8080\b/g

/** Where native programs listen. */
const nativeOrigin = 'http://127.0.0.1:'
const nativeHost = "'127.0.0.1'"

/** The path of the callback as the programs route it; also the path of a server's cookie. */
const pageRoute = /(['"`]|\}|\bPath=)\/callback(?=['"`?;])/g

/** The page of the single-page app, which a server of files finds at its callback. */
const pageFile = 'app/index.html'

/** In programs that do not read it from their environment. */
const pageClientId = 'your-client-id'

/** A developer's own values, which replace those of the examples. */
export type OwnValues = { issuer: string; callback: string; scopes: readonly string[]; clientId?: string }

/** A list of scopes in a program: `user:read`, then others with any separator. */
const scopeList = /user:read(?:(%20| |", "|', ')meeting:\w+)+/g

/**
 * Fill an app's own issuer, callback, scopes and, where it is known, client id into an example program. The program
 * answers at the path of the callback, and listens on its port where the callback leads to the developer's machine.
 * Native programs listen on any port.
 */
export function fillIn(text: string, { issuer, callback, scopes, clientId = pageClientId }: OwnValues): string {
  // The issuer may have the same port as the example programs: it is filled in last.
  const called = [exampleCallbacks.confidential, exampleCallbacks.single_page].reduce(
    (filled, example) => filled.replaceAll(example, () => callback),
    text,
  )
  return listenAt(called, callback)
    .replaceAll(scopeList, (_list, between: string) => scopes.join(between))
    .replaceAll(pageIssuer, () => issuer)
    .replaceAll(pageClientId, () => clientId)
}

function listenAt(text: string, callback: string): string {
  if (!/^https?:/.test(callback)) return text
  const { origin, port, pathname, hostname } = new URL(callback)
  const routed = text
    .replaceAll(pageRoute, (_route, before: string) => before + pathname)
    .replaceAll(pageFile, () => fileAt(pathname))
  if (!isLoopback(callback)) return routed
  return routed
    .replaceAll(exampleCallbacks.native, () => callback)
    .replaceAll(nativeOrigin, () => `http://${hostname}:`)
    .replaceAll(nativeHost, () => `'${hostname.replace(/^\[|\]$/g, '')}'`)
    .replaceAll(pageOrigin, () => origin)
    .replaceAll(pagePort, () => port || '80')
}

/** The file that a server of files returns at this path. */
function fileAt(pathname: string): string {
  const file = pathname.slice(1)
  if (file === '' || file.endsWith('/')) return `${file}index.html`
  return file.endsWith('.html') ? file : `${file}.html`
}

/**
 * Choose the callback that an example program uses: the preferred one when the app has registered it, otherwise one on
 * the developer's own machine, of the same path if there is one, otherwise the first.
 */
export function callbackFor(callbackUrls: readonly string[], preferred: string): string {
  if (callbackUrls.includes(preferred)) return preferred
  const local = callbackUrls.filter(isLoopback)
  const { pathname } = new URL(preferred)
  return local.find((url) => new URL(url).pathname === pathname) ?? local[0] ?? callbackUrls[0] ?? preferred
}
