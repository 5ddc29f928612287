/**
 * Validate the address to open after signing in; undefined unless it is a path of our own pages. A link to the sign-in
 * page must not redirect to another site (CWE-601).
 */
export function returnAddress(requested: unknown, origin: string): string | undefined {
  if (typeof requested !== 'string' || !requested.startsWith('/') || !URL.canParse(requested, origin)) return undefined
  const { origin: found, pathname, search, hash } = new URL(requested, origin)
  return found === origin && !pathname.startsWith('//') ? pathname + search + hash : undefined
}
