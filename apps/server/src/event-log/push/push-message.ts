import { createCipheriv, createECDH, createPrivateKey, hkdfSync, sign } from 'node:crypto'

/** Web Push by RFC 8291 (encryption) and RFC 8292 (VAPID), with Node's cryptography alone (docs/decisions/0169). */

const curve = 'prime256v1'
export const privateKeyBytes = 32
const publicKeyBytes = 65
const authBytes = 16
export const saltBytes = 16

/** One record holds the whole message; push services take 4,096 bytes. */
const recordSize = 4_096

/** What a browser gives out for messages to it (RFC 8291, 3.1 and 3.2). */
export type ReceiverKeys = { p256dh: Buffer; auth: Buffer }

/** Decode a browser's keys from base64url; undefined unless they are a point of the curve and a secret. */
export function readReceiverKeys(keys: { p256dh: string; auth: string }): ReceiverKeys | undefined {
  const [p256dh, auth] = [Buffer.from(keys.p256dh, 'base64url'), Buffer.from(keys.auth, 'base64url')]
  if (p256dh.length !== publicKeyBytes || auth.length !== authBytes) return undefined
  try {
    const probe = createECDH(curve)
    probe.generateKeys()
    probe.computeSecret(p256dh)
    return { p256dh, auth }
  } catch {
    return undefined
  }
}

export function publicKeyOf(privateKey: Buffer): Buffer {
  const pair = createECDH(curve)
  pair.setPrivateKey(privateKey)
  return pair.getPublicKey()
}

/** Encrypt a message as one record of `aes128gcm`. Each message needs a key pair and a salt of its own. */
export function encryptPushMessage(
  plaintext: Buffer,
  { p256dh, auth }: ReceiverKeys,
  { privateKey, salt }: { privateKey: Buffer; salt: Buffer },
): Buffer {
  const sender = createECDH(curve)
  sender.setPrivateKey(privateKey)
  const publicKey = sender.getPublicKey()
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, publicKey])
  const secret = Buffer.from(hkdfSync('sha256', sender.computeSecret(p256dh), auth, keyInfo, 32))
  const derive = (info: string, length: number) => Buffer.from(hkdfSync('sha256', secret, salt, `${info}\0`, length))
  const cipher = createCipheriv(
    'aes-128-gcm',
    derive('Content-Encoding: aes128gcm', 16),
    derive('Content-Encoding: nonce', 12),
  )
  // The octet 2 ends the last record (RFC 8188, 2).
  const encrypted = Buffer.concat([cipher.update(plaintext), cipher.update(Buffer.of(2)), cipher.final()])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(recordSize)
  return Buffer.concat([salt, size, Buffer.of(publicKey.length), publicKey, encrypted, cipher.getAuthTag()])
}

/** A token is signed for each message, and used at once; a clock that is wrong by hours is tolerated. */
const tokenLifetimeMs = 12 * 60 * 60_000

/**
 * Compose the header `Authorization` of a request to a push service. `contact` is where its operator reaches ours: an
 * https or mailto URL.
 */
export function vapidAuthorization(
  endpoint: string,
  { privateKey, contact }: { privateKey: Buffer; contact: string },
  now: Date,
): string {
  const publicKey = publicKeyOf(privateKey)
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor((now.getTime() + tokenLifetimeMs) / 1000),
    sub: contact,
  }
  const signed = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: privateKey.toString('base64url'),
      x: publicKey.subarray(1, 33).toString('base64url'),
      y: publicKey.subarray(33).toString('base64url'),
    },
  })
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey.toString('base64url')}`
}
