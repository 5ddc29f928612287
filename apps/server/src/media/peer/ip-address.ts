import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** The 4 or 16 octets of an address in network order. */
export const addressOctets = (address: string): number[] => ipaddr.parse(address).toByteArray()

/**
 * Convert an IPv4-mapped IPv6 address, which a dual-stack socket reports, to IPv4: `::ffff:192.0.2.1` to `192.0.2.1`.
 */
export const withoutMapping = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * The addresses of this machine for ICE candidates, best first: the configured address, then the addresses of the
 * machine's interfaces. Loopback addresses are included only if there are no others. Link-local IPv6 addresses are left
 * out, because they need a zone.
 */
export function hostAddresses(publicAddress: string | undefined, withIpv6: boolean): string[] {
  const usable = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, address }) => family === 'IPv4' || (withIpv6 && !/^fe80:/i.test(address)))
  const outside = usable.filter(({ internal }) => !internal)
  const local = (outside.length > 0 ? outside : usable).map(({ address }) => address)
  return [...new Set(publicAddress === undefined ? local : [publicAddress, ...local])].slice(0, maxHostAddresses)
}

/** Every client checks each of them. */
const maxHostAddresses = 8
