import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { guarded, serveSecurely } from './loopback-internet.ts'

const { subtle } = globalThis.crypto

type Received = { path: string; headers: IncomingHttpHeaders; body: Buffer }

/**
 * A push service on the address that stands for the internet. It answers 201, or what a test sets, and keeps what it
 * received.
 */
export async function startPushService() {
  const received: Received[] = []
  const answers: { status: number } = { status: 201 }
  const { port, certificateAuthorities } = await serveSecurely(async (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    await once(request, 'end')
    received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) })
    response.writeHead(answers.status, { location: '/message/1' }).end()
  }, 'app.test')
  return { origin: `https://app.test:${port}`, received, answers, fetch: guarded({ certificateAuthorities }) }
}

/**
 * A browser's side of a subscription, written from RFC 8291 with WebCrypto, which the server does not use: its keys, and
 * how it reads a message.
 */
export async function createReceiver() {
  const pair = await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
  const publicKey = Buffer.from(await subtle.exportKey('raw', pair.publicKey))
  const auth = Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(16)))
  const hkdf = async (secret: Uint8Array, salt: Uint8Array, info: Uint8Array, bytes: number) => {
    const key = await subtle.importKey('raw', Buffer.from(secret), 'HKDF', false, ['deriveBits'])
    const bits = { name: 'HKDF', hash: 'SHA-256', salt: Buffer.from(salt), info: Buffer.from(info) }
    return Buffer.from(await subtle.deriveBits(bits, key, bytes * 8))
  }

  async function decrypt(body: Buffer): Promise<string> {
    const salt = body.subarray(0, 16)
    const idLength = body.readUInt8(20)
    const sender = body.subarray(21, 21 + idLength)
    const senderKey = await subtle.importKey(
      'raw',
      Buffer.from(sender),
      { name: 'ECDH', namedCurve: 'P-256' },
      false,
      [],
    )
    const shared = await subtle.deriveBits({ name: 'ECDH', public: senderKey }, pair.privateKey, 256)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender])
    const secret = await hkdf(Buffer.from(shared), auth, info, 32)
    const contentKey = await hkdf(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
    const iv = await hkdf(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
    const key = await subtle.importKey('raw', contentKey, 'AES-GCM', false, ['decrypt'])
    const record = Buffer.from(body.subarray(21 + idLength))
    const padded = Buffer.from(await subtle.decrypt({ name: 'AES-GCM', iv }, key, record))
    const end = padded.lastIndexOf(2)
    return padded.subarray(0, end).toString()
  }

  return { keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') }, decrypt }
}

/** Verify the token of a request as RFC 8292 asks a push service to, and return its claims and the key. */
export async function verifyVapid({ headers }: Received) {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const publicKey = await subtle.importKey('raw', Buffer.from(key, 'base64url'), algorithm, false, ['verify'])
  const signed = Buffer.from(`${head}.${claims}`)
  const how = { name: 'ECDSA', hash: 'SHA-256' }
  const isValid = await subtle.verify(how, publicKey, Buffer.from(signature, 'base64url'), signed)
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  return { isValid, head: read(head), claims: read(claims), key }
}
