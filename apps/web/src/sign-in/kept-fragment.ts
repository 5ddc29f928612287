const keptUnder = 'parley-fragment'

/**
 * The address to open afterwards, in two parts: the path with its query, and the fragment, which servers must not see.
 */
type AddressParts = { path: string; fragment: string }

/** The fragment, without its `#`, may hold a PIN; the rest may be sent to the server. */
export function splitAddress(address: string): AddressParts {
  const mark = address.indexOf('#')
  return mark === -1
    ? { path: address, fragment: '' }
    : { path: address.slice(0, mark), fragment: address.slice(mark + 1) }
}

/** Keep a fragment in this tab while the user is at the provider, whose redirect has none. */
export function keepFragment(parts: AddressParts): void {
  if (parts.fragment === '') sessionStorage.removeItem(keptUnder)
  else sessionStorage.setItem(keptUnder, JSON.stringify(parts))
}

/** Restore the kept fragment before any code reads the address. It is deleted, because it is used once. */
export function restoreFragment(): void {
  const text = sessionStorage.getItem(keptUnder)
  if (text === null) return
  sessionStorage.removeItem(keptUnder)
  const address = restoredAddress(JSON.parse(text), window.location)
  if (address !== undefined) window.history.replaceState(window.history.state, '', address)
}

/**
 * The address of the tab with its fragment: the requested one, or, after the provider's refusal, the sign-in page on
 * the way to it. Undefined at other pages, and when there is a fragment already.
 */
export function restoredAddress(
  { path, fragment }: AddressParts,
  { pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>,
): string | undefined {
  if (hash !== '') return undefined
  if (pathname + search === path) return `${path}#${fragment}`
  if (pathname + search === '/sign-in') return `/sign-in?${new URLSearchParams({ next: path })}#${fragment}`
  return undefined
}
