import { problem } from '../platform/http/problem.ts'

/** A strong entity tag of `__v` (RFC 9110, 8.8.3). */
export const etagOf = ({ version }: { version: number }) => `"v${version}"`

/**
 * Check `If-Match` (RFC 9110, 13.1.1): the meeting must have the version that the caller has seen. Weak tags never
 * match.
 * @throws stale_version
 */
export function requireVersion(ifMatch: string | undefined, row: { version: number }) {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (!tags.includes(etagOf(row))) throw problem('stale_version', { headers: { etag: etagOf(row) } })
}
