import { generateKeyPairSync, sign } from 'node:crypto'

/** Create a self-signed certificate for these names, and its key, both as PEM. Valid from 2000 to 2049. */
export function makeCertificate(...names: string[]): { cert: string; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const ed25519 = sequence(der(0x06, Buffer.from('2b6570', 'hex')))
  const commonName = sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from('Parley test')))
  const issuer = sequence(der(0x31, commonName))
  const validity = sequence(der(0x17, Buffer.from('000101000000Z')), der(0x17, Buffer.from('491231235959Z')))
  const alternativeNames = sequence(...names.map((name) => der(0x82, Buffer.from(name))))
  const extension = sequence(der(0x06, Buffer.from('551d11', 'hex')), der(0x04, alternativeNames))
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    ed25519,
    issuer,
    validity,
    issuer,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  )
  const signature = der(0x03, Buffer.concat([Buffer.of(0), sign(null, toBeSigned, privateKey)]))
  const base64 = sequence(toBeSigned, ed25519, signature).toString('base64').replace(/.{64}/g, '$&\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** Encode a value in DER (X.690, 8.1): tag, length, bytes. */
function der(tag: number, bytes: Buffer): Buffer {
  const { length } = bytes
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), bytes])
}

const sequence = (...values: Buffer[]) => der(0x30, Buffer.concat(values))
