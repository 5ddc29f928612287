const keyBytes = 16

/** A unique key, such as an Idempotency-Key. `randomUUID` is missing without HTTPS. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(keyBytes)), (byte) => byte.toString(16).padStart(2, '0')).join('')
