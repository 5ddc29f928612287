import { Event, RTCDtlsFingerprint, RTCDtlsParameters, RTCDtlsTransport, type RTCIceTransport } from 'werift'
import type { Fingerprint } from './sdp-offer.ts'
import {
  AEAD_AES_128_GCM,
  AES128_CM_HMAC_SHA1_80,
  masterKeyLength,
  masterSaltLength,
  type SrtpProfile,
} from './srtp-keys.ts'
import { SrtpSession } from './srtp-session.ts'

/** The first octet of a DTLS record (RFC 7983). */
export const isDtls = (packet: Buffer) => packet.length > 0 && packet.readUInt8(0) >= 20 && packet.readUInt8(0) <= 63

/** Create the engine's certificate, which all participants share. Await it before the first participant. */
export async function prepareCertificate(): Promise<void> {
  await RTCDtlsTransport.SetupCertificate()
}

/** SHA-256 of our certificate. */
export const localFingerprint = () => RTCDtlsTransport.localCertificate?.getFingerprints()[0]?.value ?? ''

export type DtlsLink = {
  dtls: RTCDtlsTransport
  /** Process a DTLS datagram from the peer. */
  receive(packet: Buffer): void
}

/**
 * Create werift's DTLS over our own transport, by an object with the four members of an ICE transport that it uses.
 * werift does not process SRTP here: `SrtpSession` decrypts SRTP and refuses replays.
 */
export function createDtls(send: (packet: Buffer) => void): DtlsLink {
  const onData = new Event<[Buffer]>()
  const connection = {
    onData,
    send: async (packet: Buffer) => send(packet),
    close: async () => {},
  }
  const iceTransport = { role: 'controlled', connection, stop: async () => {} }
  const dtls = new RTCDtlsTransport({}, iceTransport as unknown as RTCIceTransport, undefined, [
    AEAD_AES_128_GCM,
    AES128_CM_HMAC_SHA1_80,
  ])
  dtls.role = 'server'
  return { dtls, receive: (packet) => onData.execute(packet) }
}

/**
 * Run the handshake (RFC 5764) with the peer as the client. Resolve to the SRTP session if the peer's certificate has
 * one of the fingerprints; rejects otherwise.
 */
export async function handshake(dtls: RTCDtlsTransport, fingerprints: readonly Fingerprint[]): Promise<SrtpSession> {
  const named = fingerprints.map(({ algorithm, value }) => new RTCDtlsFingerprint(algorithm, value))
  dtls.setRemoteParams(new RTCDtlsParameters(named, 'client'))
  await dtls.start()
  const session = dtls.dtls
  const profile = session?.srtp.srtpProfile
  if (session === undefined || profile === undefined) throw new Error('No SRTP profile was agreed on')
  const agreed = profile as SrtpProfile
  const keys = session.extractSessionKeys(masterKeyLength, masterSaltLength(agreed))
  return new SrtpSession(
    agreed,
    { key: keys.localKey, salt: keys.localSalt },
    { key: keys.remoteKey, salt: keys.remoteSalt },
  )
}
