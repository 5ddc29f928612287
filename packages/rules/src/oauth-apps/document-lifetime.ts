const minuteMs = 60 * 1000

/** However short a document says it is valid: its server is asked this often at most. */
export const minDocumentLifetimeMs = 5 * minuteMs

/** Where a document says nothing. */
export const defaultDocumentLifetimeMs = 60 * minuteMs

/** However long a document says it is valid: a change is seen after this time at the latest. */
export const maxDocumentLifetimeMs = 24 * 60 * minuteMs

type CacheHeaders = { 'cache-control'?: string | undefined; age?: string | undefined }

/** How long a fetched document is used before it is fetched again, by its headers (RFC 9111, 4.2.1 and 4.2.3). */
export function documentLifetimeMs({ 'cache-control': cacheControl = '', age = '' }: CacheHeaders): number {
  const directives = cacheControl.split(',').map((directive) => directive.trim().toLowerCase())
  // `no-cache` may name fields, which we do not keep.
  if (directives.some((directive) => /^no-(store|cache)(=|$)/.test(directive))) return minDocumentLifetimeMs
  const maxAge = directives.map((directive) => /^max-age="?(\d{1,15})"?$/.exec(directive)?.[1]).find(isGiven)
  if (maxAge === undefined) return defaultDocumentLifetimeMs
  const ageSeconds = /^\d{1,15}$/.test(age.trim()) ? Number(age) : 0
  const lifetimeMs = (Number(maxAge) - ageSeconds) * 1000
  return Math.min(Math.max(lifetimeMs, minDocumentLifetimeMs), maxDocumentLifetimeMs)
}

const isGiven = (seconds: string | undefined) => seconds !== undefined
