import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import { secureRandom } from './random.ts'

/** Encryption at rest for secrets that must be readable again: PINs, room keys, stored answers, queued mails. */
export type Encryption = {
  /**
   * Encrypt and authenticate. Only `decrypt` with the same purpose reads it back, and with `owner`, the id of the row
   * that the value belongs to, only with the same owner. Otherwise an attacker who can write the table, but does not
   * know the key, could copy the secrets of another meeting into a row of their own and read them there.
   */
  encrypt(plaintext: string, purpose: string, owner?: string): Buffer
  /** Decrypt. Throw when the bytes were changed, truncated, or encrypted for another purpose, owner or key. */
  decrypt(encrypted: Buffer, purpose: string, owner?: string): string
  /** Derive a key for `purpose` by HKDF-SHA256 (RFC 5869); constant for a secret key. */
  derive(purpose: string, length: number): Buffer
  /** HMAC-SHA256 of `data` with the key of `purpose`: 32 bytes. */
  mac(purpose: string, data: string | Buffer): Buffer
}

/** The first byte, so that the format can change and old values stay readable. */
const formatVersion = 1
const nonceLength = 12
const tagLength = 16
const headLength = 1 + nonceLength + tagLength

/** Purposes are a handful of constants. A caller with one per row would lose the cache, not leak memory. */
const maxCachedKeys = 64

/**
 * AES-256-GCM with a random nonce: `secretKey` (32 bytes) may encrypt 2^32 values before a nonce is likely to repeat.
 */
export function createEncryption(secretKey: Buffer): Encryption {
  if (secretKey.length !== 32) throw new RangeError(`A secret key has 32 bytes, not ${secretKey.length}`)
  const derive = (purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secretKey, 'parley', purpose, length))
  const encryptionKey = derive('sealed-box 1', 32)
  const macKeys = new Map<string, Buffer>()

  function macKey(purpose: string): Buffer {
    const known = macKeys.get(purpose)
    if (known !== undefined) return known
    const key = derive(`mac ${purpose}`, 32)
    if (macKeys.size < maxCachedKeys) macKeys.set(purpose, key)
    return key
  }

  return {
    encrypt(plaintext, purpose, owner) {
      const nonce = secureRandom.bytes(nonceLength)
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce)
      cipher.setAAD(additionalData(purpose, owner))
      const ciphertext = cipher.update(plaintext, 'utf8')
      cipher.final()
      return Buffer.concat([Buffer.of(formatVersion), nonce, cipher.getAuthTag(), ciphertext])
    },
    decrypt(encrypted, purpose, owner) {
      if (encrypted.length < headLength || encrypted[0] !== formatVersion) {
        throw new Error('This is not an encrypted value')
      }
      const nonce = encrypted.subarray(1, 1 + nonceLength)
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, nonce, { authTagLength: tagLength })
      decipher.setAAD(additionalData(purpose, owner))
      decipher.setAuthTag(encrypted.subarray(1 + nonceLength, headLength))
      const plaintext = decipher.update(encrypted.subarray(headLength))
      decipher.final()
      return plaintext.toString('utf8')
    },
    derive: (purpose, length) => derive(`key ${purpose}`, length),
    mac: (purpose, data) => createHmac('sha256', macKey(purpose)).update(data).digest(),
  }
}

const additionalData = (purpose: string, owner: string | undefined): Buffer =>
  Buffer.from(JSON.stringify([formatVersion, purpose, owner ?? null]))
