import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { publicAddress } from './start-app.ts'

/** Deviations from what an authenticator should send. */
export type ResponseOverrides = {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  userVerified?: boolean
  userPresent?: boolean
  counter?: number
  userHandle?: string
  id?: Buffer
}

type CreationOptions = { challenge: string; user: { id: string }; excludeCredentials: { id: string }[] }
type RequestOptions = { challenge: string }

/** A software authenticator (WebAuthn, 6): one ES256 key, a counter, and an owner who always agrees. */
export class SoftwareAuthenticator {
  readonly id: Buffer
  readonly #keys: { privateKey: KeyObject; publicKey: KeyObject }
  #counter: number
  #userHandle = ''

  /** A counter of 0 means no counter, as with synced passkeys. */
  constructor({ counter = 0, id = randomBytes(32) as Buffer, keys = newKeys() } = {}) {
    this.id = id
    this.#keys = keys
    this.#counter = counter
  }

  /** A copy with the same key and the same count, as a thief would make. */
  copy(): SoftwareAuthenticator {
    const copy = new SoftwareAuthenticator({ counter: this.#counter, id: this.id, keys: this.#keys })
    copy.#userHandle = this.#userHandle
    return copy
  }

  /** The JSON result of `navigator.credentials.create()` (WebAuthn, 7.1). */
  create({ challenge, user }: CreationOptions, said: ResponseOverrides = {}) {
    this.#userHandle = user.id
    const id = said.id ?? this.id
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, id, this.#coseKey()])
    const authData = Buffer.concat([this.#head(0x40, said), attested])
    const attestationObject = cborMap([
      [cborText('fmt'), cborText('none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(authData)],
    ])
    return {
      ...this.#credential(id),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, said).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal', 'hybrid', 'by-pigeon'],
      },
    }
  }

  /** The JSON result of `navigator.credentials.get()` (WebAuthn, 7.2). */
  get({ challenge }: RequestOptions, said: ResponseOverrides = {}) {
    if (this.#counter > 0) this.#counter++
    const authenticatorData = this.#head(0, said)
    const clientData = this.#clientData('webauthn.get', challenge, said)
    const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()])
    return {
      ...this.#credential(said.id ?? this.id),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
        userHandle: said.userHandle ?? this.#userHandle,
      },
    }
  }

  #credential(id: Buffer) {
    const text = id.toString('base64url')
    return { id: text, rawId: text, type: 'public-key', clientExtensionResults: {}, authenticatorAttachment: null }
  }

  #clientData(type: string, challenge: string, said: ResponseOverrides): Buffer {
    const { origin = publicAddress } = said
    const collectedClientData = {
      type: said.type ?? type,
      challenge: said.challenge ?? challenge,
      origin,
      crossOrigin: false,
    }
    return Buffer.from(JSON.stringify(collectedClientData))
  }

  /** RP id hash, flags, counter (WebAuthn, 6.1). */
  #head(
    flags: number,
    { rpId = new URL(publicAddress).hostname, userVerified, userPresent, counter }: ResponseOverrides,
  ): Buffer {
    const head = Buffer.alloc(5)
    head[0] = flags | (userPresent === false ? 0 : 0x01) | (userVerified === false ? 0 : 0x04)
    head.writeUInt32BE(counter ?? this.#counter, 1)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), head])
  }

  /** An EC2 key on P-256 for ES256 (RFC 9053, 7.1.1). */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    return cborMap([
      [cborInteger(1), cborInteger(2)],
      [cborInteger(3), cborInteger(-7)],
      [cborInteger(-1), cborInteger(1)],
      [cborInteger(-2), cborBytes(Buffer.from(x, 'base64url'))],
      [cborInteger(-3), cborBytes(Buffer.from(y, 'base64url'))],
    ])
  }
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** The subset of CBOR that an authenticator uses (RFC 8949, 3). */
function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.of((major << 5) | value)
  if (value < 256) return Buffer.of((major << 5) | 24, value)
  return Buffer.of((major << 5) | 25, value >> 8, value & 0xff)
}
const cborInteger = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value))
const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes])
const cborText = (text: string) => Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)])
const cborMap = (entries: [Buffer, Buffer][]) => Buffer.concat([cborHead(5, entries.length), ...entries.flat()])
