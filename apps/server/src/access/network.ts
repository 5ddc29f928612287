import { isIPv4, isIPv6 } from 'node:net'

/**
 * The network by which attempts are counted: an IPv4 address, or the /64 of an IPv6 address, because a single customer
 * has at least that many (RFC 6177). An IPv4-mapped IPv6 address counts as its IPv4 address.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = (address.split('%')[0] ?? '').replace(/(?:\d{1,3}\.){3}\d{1,3}$/, '0:0').split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  const groups = [...first, ...(tail === undefined ? [] : zeros), ...last]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/**
 * The site of a network: the /48 that an IPv6 site is assigned (RFC 6177), 65,536 networks of one customer; an IPv4
 * address is a site of its own.
 */
export function siteOf(address: string): string {
  const network = networkOf(address)
  return network.endsWith('::/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : network
}

/** The prefix that people are shown: enough to recognize their own network, without the exact address. */
export function networkPrefix(address: string): string {
  const network = networkOf(address)
  if (isIPv4(network)) return `${network.split('.').slice(0, 3).join('.')}.0/24`
  return network.endsWith('::/64') ? siteOf(address) : ''
}
