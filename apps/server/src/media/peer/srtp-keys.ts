import { createCipheriv } from 'node:crypto'

/** The supported protection profiles of RFC 5764 (4.1.2) and RFC 7714 (14.2). */
export const AEAD_AES_128_GCM = 0x0007
export const AES128_CM_HMAC_SHA1_80 = 0x0001
export type SrtpProfile = typeof AEAD_AES_128_GCM | typeof AES128_CM_HMAC_SHA1_80

export const masterKeyLength = 16
export const masterSaltLength = (profile: SrtpProfile) => (profile === AEAD_AES_128_GCM ? 12 : 14)

export type MasterKey = { key: Buffer; salt: Buffer }
export type SessionKeys = { cipher: Buffer; salt: Buffer; authentication: Buffer }

/** Labels of RFC 3711, 4.3.2. */
const rtpLabels = { cipher: 0, authentication: 1, salt: 2 }
const rtcpLabels = { cipher: 3, authentication: 4, salt: 5 }

/** Derive session keys (RFC 3711, 4.3.1) with a key derivation rate of 0. */
export function deriveSessionKeys(master: MasterKey, kind: 'rtp' | 'rtcp'): SessionKeys {
  const labels = kind === 'rtp' ? rtpLabels : rtcpLabels
  const derive = (label: number, length: number) => {
    // A salt of 96 bits (RFC 7714, 11) is padded on the right to the 112 bits of the derivation.
    const start = Buffer.alloc(16)
    master.salt.copy(start)
    start.writeUInt8(start.readUInt8(7) ^ label, 7)
    return createCipheriv('aes-128-ctr', master.key, start).update(Buffer.alloc(length))
  }
  return {
    cipher: derive(labels.cipher, masterKeyLength),
    salt: derive(labels.salt, 14),
    authentication: derive(labels.authentication, 20),
  }
}
