/** In days. Tokens expire by default, so that a forgotten one does not stay valid. */
export const lifetimes = ['7', '30', '90', '365', 'never'] as const
export type Lifetime = (typeof lifetimes)[number]

const dayMs = 24 * 60 * 60 * 1000

/** The expiry of a token with this lifetime (RFC 3339); null for never. */
export const expiryOf = (lifetime: Lifetime, now: Date): string | null =>
  lifetime === 'never' ? null : new Date(now.getTime() + Number(lifetime) * dayMs).toISOString()
