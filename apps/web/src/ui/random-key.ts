const keyBytes = 16

/** A key that nobody has made before, such as an Idempotency-Key. `randomUUID` is missing where there is no HTTPS. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(keyBytes)), (byte) => byte.toString(16).padStart(2, '0')).join('')
