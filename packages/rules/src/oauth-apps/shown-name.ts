import { isLoopback } from '../oauth/loopback.ts'

/**
 * The name that an app has chosen. The type is an object, so that no text prints the name by mistake: `shownName`
 * decides.
 */
export type ClaimedName = { readonly claimedName: string }

/** The name of an app that people are shown. */
export type ShownName =
  | { kind: 'name'; name: string }
  /** An address that the app cannot make up: of its document, or of the server to which it sends people. */
  | { kind: 'host'; host: string }
  /** Nothing proves who it is, not even that it runs on the person's own device. */
  | { kind: 'unnamed' }

type NamedApp = {
  name: ClaimedName
  /** A reviewer has approved the revision that carries the name, or the reader knows the developer. */
  isReviewed: boolean
  /** The host of the document that describes the app, where one does. */
  clientHost: string | undefined
}

/**
 * Decide which name of an app people are shown. Before a review anyone can claim any name: the app is then known by the
 * host of its document, or else by where it sends people.
 *
 * @param redirectUris those that may be used; more than one where it is not known which
 */
export function shownName({ name, isReviewed, clientHost }: NamedApp, redirectUris: readonly string[]): ShownName {
  if (isReviewed) return { kind: 'name', name: name.claimedName }
  if (clientHost !== undefined) return { kind: 'host', host: clientHost }
  const hosts = redirectUris.map(hostOf)
  // Do not show one host of several: the app may send people to another of them.
  if (hosts.length === 0 || hosts.includes(undefined)) return { kind: 'unnamed' }
  return { kind: 'host', host: [...new Set(hosts)].join(', ') }
}

/** The host of an address on the web; undefined for one on the person's own device. */
const hostOf = (address: string): string | undefined =>
  /^https?:/i.test(address) && !isLoopback(address) ? new URL(address).host : undefined
