/** What the connection and the headers reveal about the origin of a request. */
export type VisitTrace = {
  /** The peer address of the connection, never one from a header. */
  peerAddress: string | undefined
  /** The Host header. */
  host: string | undefined
  /** The Origin header, which browsers send with every request that changes something. */
  origin: string | undefined
  /** In lower case. */
  headerNames: readonly string[]
}

export type LocalService = {
  baseUrl: string
  /** Whether the operator has configured a proxy in front of the service. */
  behindProxy: boolean
}

/**
 * Whether a request was certainly made on the machine that serves it, by a program or by the service's own pages. A
 * proxy on the same machine makes remote connections look local, so neither the configuration nor a header may indicate
 * a proxy, and the host names in the request must be this machine's. Checking Origin and Host also refuses pages of
 * other sites in a local browser, including those that use DNS rebinding. In doubt a request is not local.
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

/** RFC 1122, 3.2.1.3; RFC 4291, 2.5.3; and IPv4 addresses as a dual-stack socket shows them. */
const isLoopbackAddress = (address: string) =>
  /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/i.test(address) || address === '::1'

/** `localhost` and all names below it are loopback names (RFC 6761, 6.3). */
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
