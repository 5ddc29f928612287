import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The globally routed unicast addresses of IPv6 (RFC 4291, 2.4). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** DNS64 returns these in IPv6-only networks (RFC 6052, 2.1): the last four bytes decide. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Azure's metadata service, which reveals secrets of the machine: a public address that is reachable from inside only.
 */
const cloudMetadata = new Set(['168.63.129.16'])

/**
 * Whether an IP address, as text, is globally routable unicast. Private, loopback, link-local and shared addresses are
 * not, nor are those for multicast, documentation, benchmarks or tunnels (IANA's special-purpose registries, RFC 6890),
 * nor is invalid text.
 */
export function isPublicAddress(text: string): boolean {
  // The package alone would also accept octal and shortened forms, which systems read differently.
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = ipaddr.parse(text)
  return address instanceof ipaddr.IPv4 ? isPublicIPv4(address) : isPublicIPv6(address)
}

const isPublicIPv4 = (address: ipaddr.IPv4) => address.range() === 'unicast' && !cloudMetadata.has(address.toString())

function isPublicIPv6(address: ipaddr.IPv6): boolean {
  if (address.match(nat64)) return isPublicIPv4(new ipaddr.IPv4(address.toByteArray().slice(-4)))
  return address.match(globalUnicast) && address.range() === 'unicast'
}
