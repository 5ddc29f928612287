const keptUnder = 'parley-fragment'

/** Where somebody wants to go on to, in two: a path with its query, and what only this browser may know. */
export type Parted = { path: string; fragment: string }

/** The fragment, without its `#`, may hold a PIN; everything before it may be told the server. */
export function partAddress(address: string): Parted {
  const mark = address.indexOf('#')
  return mark === -1
    ? { path: address, fragment: '' }
    : { path: address.slice(0, mark), fragment: address.slice(mark + 1) }
}

/** Keeps a fragment in this tab while its user is at the provider's pages, whence no fragment leads back. */
export function keepFragment(parted: Parted): void {
  if (parted.fragment === '') sessionStorage.removeItem(keptUnder)
  else sessionStorage.setItem(keptUnder, JSON.stringify(parted))
}

/** Gives the address its kept fragment back, before anything reads it. Whatever was kept is forgotten: it is used once. */
export function restoreFragment(): void {
  const text = sessionStorage.getItem(keptUnder)
  if (text === null) return
  sessionStorage.removeItem(keptUnder)
  const address = restoredAddress(JSON.parse(text), window.location)
  if (address !== undefined) window.history.replaceState(window.history.state, '', address)
}

/**
 * The address that the tab should be at: the one that was asked for, or, where the provider has refused, the sign-in page
 * on the way to it. Undefined at every other page, and where there is a fragment already.
 */
export function restoredAddress(
  { path, fragment }: Parted,
  { pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>,
): string | undefined {
  if (hash !== '') return undefined
  if (pathname + search === path) return `${path}#${fragment}`
  if (pathname + search === '/sign-in') return `/sign-in?${new URLSearchParams({ next: path })}#${fragment}`
  return undefined
}
