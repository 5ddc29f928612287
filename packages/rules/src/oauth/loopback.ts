/**
 * A redirect URI of a native app that listens on its own device (RFC 8252, 7.3): `http` with one of these hosts, and
 * any port.
 */
const loopbackPattern = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::(\d{1,5}))?((?:[/?].*)?)$/

const maxPort = 65_535

/** A loopback redirect URI without its port; undefined for any other. */
export function withoutPort(uri: string): string | undefined {
  const [, host, port = '0', rest] = loopbackPattern.exec(uri) ?? []
  return host === undefined || Number(port) > maxPort ? undefined : `${host}${rest}`
}

export const isLoopback = (uri: string): boolean => withoutPort(uri) !== undefined
