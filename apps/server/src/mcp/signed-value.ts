import { timingSafeEqual } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Encryption } from '../platform/encryption.ts'
import { sha256 } from '../platform/sha256.ts'

type Binding = readonly string[]

type SignedReading =
  /** `id` is that of the value, however a client has spelled it: base64 has several spellings, and may have spaces. */
  { kind: 'valid'; content: unknown; id: string } | { kind: 'changed' } | { kind: 'expired'; at: Date }

/** Larger than what the largest request of a tool makes of one. */
const maxContentBytes = 2 * 1024 * 1024

/**
 * Values that a client holds for us, in place of rows: any instance can read them, and no one can change them. Each is
 * bound to a purpose and to `binding`, such as an account, and expires. Readable by the client: never put secrets in it.
 */
export function createSignedValues({ mac }: Pick<Encryption, 'mac'>, purpose: string) {
  const macOf = (payload: Buffer, binding: Binding) =>
    mac(purpose, JSON.stringify([binding, payload.toString('base64')]))

  return {
    sign(content: unknown, expiresAt: Date, binding: Binding): string {
      const payload = deflateRawSync(JSON.stringify([expiresAt.getTime(), content]))
      return `${payload.toString('base64url')}.${macOf(payload, binding).toString('base64url')}`
    },
    read(text: string, now: Date, binding: Binding): SignedReading {
      const [payload = Buffer.alloc(0), sent = Buffer.alloc(0)] = text
        .split('.', 2)
        .map((part) => Buffer.from(part, 'base64url'))
      const expected = macOf(payload, binding)
      if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return { kind: 'changed' }
      const [expiresAtMs, content] = JSON.parse(
        inflateRawSync(payload, { maxOutputLength: maxContentBytes }).toString('utf8'),
      )
      const at = new Date(expiresAtMs)
      return at <= now ? { kind: 'expired', at } : { kind: 'valid', content, id: sha256(expected).toString('hex') }
    },
  }
}

export type SignedValues = ReturnType<typeof createSignedValues>
