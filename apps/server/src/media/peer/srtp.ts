import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import { AEAD_AES_128_GCM, deriveSessionKeys, type MasterKey, type SessionKeys, type SrtpProfile } from './srtp-keys.ts'

const gcmTagLength = 16
const hmacTagLength = 10

/** One direction of SRTP or SRTCP. `index` is the packet's 48-bit index (31-bit for SRTCP). */
export type Protection = {
  tagLength: number
  /** Encrypt `body`. The tag authenticates `head`, `body` and `appended`. */
  encrypt(head: Buffer, body: Buffer, appended: Buffer, ssrc: number, index: number): { body: Buffer; tag: Buffer }
  /** The plaintext; undefined if the tag does not match. */
  decrypt(head: Buffer, body: Buffer, tag: Buffer, appended: Buffer, ssrc: number, index: number): Buffer | undefined
}

export function createProtection(profile: SrtpProfile, master: MasterKey, kind: 'rtp' | 'rtcp'): Protection {
  const keys = deriveSessionKeys(master, kind)
  return profile === AEAD_AES_128_GCM ? gcmProtection(keys, kind) : counterModeProtection(keys)
}

/** AES-GCM (RFC 7714); the initialization vectors are those of 8.1 (RTP) and 9.1 (RTCP). */
function gcmProtection(keys: SessionKeys, kind: 'rtp' | 'rtcp'): Protection {
  const initializationVector = (ssrc: number, index: number) => {
    const vector = Buffer.alloc(12)
    vector.writeUInt32BE(ssrc, 2)
    if (kind === 'rtp') vector.writeUIntBE(index, 6, 6)
    else vector.writeUInt32BE(index, 8)
    for (let at = 0; at < 12; at++) vector.writeUInt8(vector.readUInt8(at) ^ keys.salt.readUInt8(at), at)
    return vector
  }
  // RTP has the roll-over counter in the vector; RTCP authenticates the appended word as associated data.
  const associated = (head: Buffer, appended: Buffer) => (kind === 'rtp' ? head : Buffer.concat([head, appended]))
  return {
    tagLength: gcmTagLength,
    encrypt(head, body, appended, ssrc, index) {
      const cipher = createCipheriv('aes-128-gcm', keys.cipher, initializationVector(ssrc, index))
      cipher.setAAD(associated(head, appended))
      const encrypted = cipher.update(body)
      cipher.final()
      return { body: encrypted, tag: cipher.getAuthTag() }
    },
    decrypt(head, body, tag, appended, ssrc, index) {
      const decipher = createDecipheriv('aes-128-gcm', keys.cipher, initializationVector(ssrc, index), {
        authTagLength: gcmTagLength,
      })
      decipher.setAAD(associated(head, appended))
      decipher.setAuthTag(tag)
      const decrypted = decipher.update(body)
      try {
        decipher.final()
        return decrypted
      } catch {
        return undefined
      }
    },
  }
}

/** AES in counter mode (RFC 3711, 4.1.1) with HMAC-SHA1 truncated to 80 bits (4.2.1). */
function counterModeProtection(keys: SessionKeys): Protection {
  const counter = (ssrc: number, index: number) => {
    const start = Buffer.alloc(16)
    start.writeUInt32BE(ssrc, 4)
    start.writeUIntBE(index, 8, 6)
    for (let at = 0; at < 14; at++) start.writeUInt8(start.readUInt8(at) ^ keys.salt.readUInt8(at), at)
    return start
  }
  const authenticate = (head: Buffer, body: Buffer, appended: Buffer) =>
    createHmac('sha1', keys.authentication)
      .update(head)
      .update(body)
      .update(appended)
      .digest()
      .subarray(0, hmacTagLength)
  const cipher = (body: Buffer, ssrc: number, index: number) =>
    createCipheriv('aes-128-ctr', keys.cipher, counter(ssrc, index)).update(body)
  return {
    tagLength: hmacTagLength,
    encrypt(head, body, appended, ssrc, index) {
      const encrypted = cipher(body, ssrc, index)
      return { body: encrypted, tag: authenticate(head, encrypted, appended) }
    },
    decrypt(head, body, tag, appended, ssrc, index) {
      if (!timingSafeEqual(authenticate(head, body, appended), tag)) return undefined
      return cipher(body, ssrc, index)
    },
  }
}
