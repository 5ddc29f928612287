/** In days. A token that ends by itself is not forgotten for good. */
export const lifetimes = ['7', '30', '90', '365', 'never'] as const
export type Lifetime = (typeof lifetimes)[number]

const dayMs = 24 * 60 * 60 * 1000

/** When a token of this lifetime ends (RFC 3339); null for never. */
export const expiryOf = (lifetime: Lifetime, now: Date): string | null =>
  lifetime === 'never' ? null : new Date(now.getTime() + Number(lifetime) * dayMs).toISOString()
