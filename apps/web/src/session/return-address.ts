/**
 * Where to go after signing in: an address of our own pages, else undefined. A link to our sign-in page must not lead on
 * to somebody else's (CWE-601).
 */
export function returnAddress(asked: unknown, origin: string): string | undefined {
  if (typeof asked !== 'string' || !asked.startsWith('/') || !URL.canParse(asked, origin)) return undefined
  const { origin: found, pathname, search, hash } = new URL(asked, origin)
  return found === origin && !pathname.startsWith('//') ? pathname + search + hash : undefined
}
