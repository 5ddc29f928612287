/** What a request shows of the way it has come, as far as the connection and its headers tell. */
export type VisitTrace = {
  /** The address of the other end of the connection itself, never one that a header names. */
  peerAddress: string | undefined
  /** The Host header. */
  host: string | undefined
  /** The Origin header, which browsers send with everything that changes something. */
  origin: string | undefined
  /** In lower case. */
  headerNames: readonly string[]
}

export type LocalService = {
  baseUrl: string
  /** Whether the operator has named a proxy that stands in front. */
  behindProxy: boolean
}

/**
 * Whether a request was certainly made on the machine that serves it, by a program or by a page of the service's own. A
 * proxy on the same machine makes every stranger's connection look local: so nothing may hint at one, neither the
 * configuration nor a header that proxies add, and the names by which the service was asked have to be this machine's. The
 * last one also refuses a page elsewhere that a browser here has open, by its Origin or by a name that it lets lead here
 * (DNS rebinding). In doubt a visit is not local.
 */
export function isLocalVisit({ baseUrl, behindProxy }: LocalService, visit: VisitTrace): boolean {
  const { peerAddress = '', host = '', origin, headerNames } = visit
  return (
    !behindProxy &&
    isLoopbackUrl(baseUrl) &&
    isLoopbackAddress(peerAddress) &&
    isLoopbackUrl(`http://${host}`) &&
    (origin === undefined || isLoopbackUrl(origin)) &&
    !headerNames.some(isAddedByProxies)
  )
}

/** RFC 1122, 3.2.1.3; RFC 4291, 2.5.3; and an IPv4 address as a socket for both families shows it. */
const isLoopbackAddress = (address: string) =>
  /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/i.test(address) || address === '::1'

/** `localhost` and all names below it lead nowhere else (RFC 6761, 6.3). */
function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { hostname } = new URL(text)
  const name = hostname.replace(/^\[|\]$/g, '')
  return /^(?:.+\.)?localhost\.?$/i.test(name) || isLoopbackAddress(name)
}

/** RFC 7239; RFC 9110, 7.6.3; and what nginx, Caddy, Apache, HAProxy, Envoy, load balancers and CDNs send. */
const isAddedByProxies = (name: string) =>
  /^(?:forwarded|via|x-forwarded.*|x-real-ip|x-original-.*|x-client-ip|x-cluster-client-ip|x-envoy-.*|true-client-ip|fastly-client-ip|cf-.*|cdn-loop)$/.test(
    name,
  )
