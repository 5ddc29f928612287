import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import { secureRandom } from './random.ts'

/** Encryption at rest for what must be shown again: PINs, room keys, stored answers, queued mails. */
export type SealedBox = {
  /**
   * Encrypts and authenticates; only `open` with the same purpose reads it back. With `owner`, the id of what the value
   * belongs to, only `open` with the same owner does: moved to another row, it cannot be read.
   */
  seal(plaintext: string, purpose: string, owner?: string): Buffer
  /**
   * Throws when the bytes were changed, cut, sealed for another purpose or owner or with another key. A value that was
   * sealed before its kind had owners is still read.
   */
  open(sealed: Buffer, purpose: string, owner?: string): string
  /** A key of its own for `purpose`, by HKDF-SHA256 (RFC 5869); always the same for the same secret key. */
  derive(purpose: string, length: number): Buffer
  /** HMAC-SHA256 of `data` with the key of `purpose`: 32 bytes. */
  mac(purpose: string, data: string | Buffer): Buffer
}

/** The first byte tells how the rest was made, so that the form can change and the old be read. */
const versions = { withoutOwner: 1, withOwner: 2 } as const
const nonceLength = 12
const tagLength = 16
const headLength = 1 + nonceLength + tagLength

/** Purposes are names in the code, a handful; a caller that made them up per row would get no cache, not a leak. */
const maxCachedKeys = 64

/** AES-256-GCM with a random nonce: `secretKey` (32 bytes) may seal 2^32 values before nonces could repeat. */
export function createSealedBox(secretKey: Buffer): SealedBox {
  if (secretKey.length !== 32) throw new RangeError(`A secret key has 32 bytes, not ${secretKey.length}`)
  const derive = (purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secretKey, 'parley', purpose, length))
  const sealingKey = derive('sealed-box 1', 32)
  const macKeys = new Map<string, Buffer>()

  function macKey(purpose: string): Buffer {
    const known = macKeys.get(purpose)
    if (known !== undefined) return known
    const key = derive(`mac ${purpose}`, 32)
    if (macKeys.size < maxCachedKeys) macKeys.set(purpose, key)
    return key
  }

  return {
    seal(plaintext, purpose, owner) {
      const version = owner === undefined ? versions.withoutOwner : versions.withOwner
      const nonce = secureRandom.bytes(nonceLength)
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce)
      cipher.setAAD(additionalData(version, purpose, owner))
      const ciphertext = cipher.update(plaintext, 'utf8')
      cipher.final()
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), ciphertext])
    },
    open(sealed, purpose, owner) {
      const [version] = sealed
      const isSealed = version === versions.withoutOwner || version === versions.withOwner
      if (sealed.length < headLength || !isSealed) throw new Error('This is not a sealed value')
      const nonce = sealed.subarray(1, 1 + nonceLength)
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, nonce, { authTagLength: tagLength })
      decipher.setAAD(additionalData(version, purpose, owner))
      decipher.setAuthTag(sealed.subarray(1 + nonceLength, headLength))
      const plaintext = decipher.update(sealed.subarray(headLength))
      decipher.final()
      return plaintext.toString('utf8')
    },
    derive: (purpose, length) => derive(`key ${purpose}`, length),
    mac: (purpose, data) => createHmac('sha256', macKey(purpose)).update(data).digest(),
  }
}

/** The version is part of it, so that a value with an owner cannot be passed off as one of before. */
const additionalData = (version: number, purpose: string, owner = ''): Buffer =>
  Buffer.from(version === versions.withoutOwner ? purpose : JSON.stringify([version, purpose, owner]))

/** Whether a value was sealed with an owner. */
export const hasOwner = (sealed: Buffer): boolean => sealed[0] === versions.withOwner
