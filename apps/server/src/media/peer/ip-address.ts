import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** The octets of an address as they stand on the wire: 4 or 16. */
export const addressOctets = (address: string): number[] => ipaddr.parse(address).toByteArray()

/** A socket for both families tells IPv4 senders as `::ffff:192.0.2.1`: that is `192.0.2.1`. */
export const withoutMapping = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * What peers may reach this machine at, best first: the address that the operator names, then those of its interfaces.
 * Loopback only where there is nothing else: a browser elsewhere would knock at itself. Link-local IPv6 needs a zone.
 */
export function hostAddresses(publicAddress: string | undefined, withIpv6: boolean): string[] {
  const usable = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, address }) => family === 'IPv4' || (withIpv6 && !/^fe80:/i.test(address)))
  const outside = usable.filter(({ internal }) => !internal)
  const local = (outside.length > 0 ? outside : usable).map(({ address }) => address)
  return [...new Set(publicAddress === undefined ? local : [publicAddress, ...local])].slice(0, maxHostAddresses)
}

/** Each is tried by every client. */
const maxHostAddresses = 8
