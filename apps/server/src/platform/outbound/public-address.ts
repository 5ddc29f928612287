import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Where IPv6 hands out addresses that are routed everywhere (RFC 4291, 2.4); what lies outside is none of them. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** DNS64 answers with these where an operator's network has IPv6 only (RFC 6052, 2.1): the last four bytes decide. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** Azure answers a machine there about itself, secrets included: a public address that only the inside can reach. */
const cloudMetadata = new Set(['168.63.129.16'])

/**
 * Whether an IP address, as text, is one that everybody on the internet reaches alike: globally routable unicast. Private,
 * loopback, link-local and shared addresses are not, nor are those for multicast, documentation, benchmarks or tunnels
 * (IANA's special-purpose registries, RFC 6890), nor is any text that is no address.
 */
export function isPublicAddress(text: string): boolean {
  // The package alone would take octal and shortened forms too, which systems read in more than one way.
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = ipaddr.parse(text)
  return address instanceof ipaddr.IPv4 ? isPublicIPv4(address) : isPublicIPv6(address)
}

const isPublicIPv4 = (address: ipaddr.IPv4) => address.range() === 'unicast' && !cloudMetadata.has(address.toString())

function isPublicIPv6(address: ipaddr.IPv6): boolean {
  if (address.match(nat64)) return isPublicIPv4(new ipaddr.IPv4(address.toByteArray().slice(-4)))
  return address.match(globalUnicast) && address.range() === 'unicast'
}
