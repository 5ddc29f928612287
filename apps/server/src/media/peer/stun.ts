import { createHmac, timingSafeEqual } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { crc32 } from 'node:zlib'
import { addressOctets } from './ip-address.ts'

/** The part of STUN (RFC 8489) that ICE connectivity checks (RFC 8445) need. */
const headerLength = 20
const magicCookie = 0x2112_a442
const bindingRequestType = 0x0001
const bindingSuccessType = 0x0101
const bindingErrorType = 0x0111

const usernameAttribute = 0x0006
const messageIntegrity = 0x0008
const errorCode = 0x0009
const xorMappedAddress = 0x0020
const useCandidate = 0x0025
const fingerprintAttribute = 0x8028
const iceControlled = 0x8029

const fingerprintMask = 0x5354_554e
const colon = 0x3a

/** The user name fragments of this server (`IceLite`) have this many hexadecimal digits. */
export const fragmentDigits = 12

type BindingRequest = {
  transactionId: Buffer
  username: string
  nominated: boolean
  /** The sender takes the controlled role, which belongs to the lite agent: a role conflict. */
  controlled: boolean
  /** Whether its message integrity matches this password. */
  isMadeWith(password: string): boolean
}

/** Whether a datagram is STUN (RFC 7983). */
export const isStun = (packet: Buffer) =>
  packet.length >= headerLength && packet.readUInt8(0) < 4 && packet.readUInt32BE(4) === magicCookie

/**
 * The receiver's user name fragment in a connectivity check (RFC 8445, 7.2.2), as a number; undefined if there is none
 * of our form. The function allocates nothing, because any sender on the network can trigger it.
 */
export function readFragmentKey(packet: Buffer): number | undefined {
  if (packet.readUInt16BE(0) !== bindingRequestType) return undefined
  let at = headerLength
  while (at + 4 <= packet.length) {
    const length = packet.readUInt16BE(at + 2)
    if (packet.readUInt16BE(at) === usernameAttribute) {
      const end = at + 4 + fragmentDigits
      return length > fragmentDigits && packet[end] === colon ? hexadecimal(packet, at + 4, end) : undefined
    }
    at += 4 + length + ((4 - (length % 4)) % 4)
  }
  return undefined
}

function hexadecimal(packet: Buffer, start: number, end: number): number | undefined {
  let value = 0
  for (let at = start; at < end; at++) {
    const octet = packet[at] ?? 0
    const digit = octet >= 0x30 && octet <= 0x39 ? octet - 0x30 : octet >= 0x61 && octet <= 0x66 ? octet - 0x57 : -1
    if (digit < 0) return undefined
    value = value * 16 + digit
  }
  return value
}

/** A well-formed binding request with a message integrity; undefined for anything else. */
export function readBindingRequest(packet: Buffer): BindingRequest | undefined {
  if (!isStun(packet) || packet.readUInt16BE(0) !== bindingRequestType) return undefined
  if (packet.readUInt16BE(2) !== packet.length - headerLength) return undefined
  let username = ''
  let nominated = false
  let controlled = false
  let at = headerLength
  while (at + 4 <= packet.length) {
    const type = packet.readUInt16BE(at)
    const length = packet.readUInt16BE(at + 2)
    const value = packet.subarray(at + 4, at + 4 + length)
    if (value.length !== length) return undefined
    if (type === usernameAttribute) username = value.toString('utf8')
    if (type === useCandidate) nominated = true
    if (type === iceControlled) controlled = true
    if (type === messageIntegrity) {
      if (length !== 20) return undefined
      const integrityStart = at
      const transactionId = packet.subarray(8, headerLength)
      const isMadeWith = (password: string) => timingSafeEqual(value, integrityOf(packet, integrityStart, password))
      return { transactionId, username, nominated, controlled, isMadeWith }
    }
    at += 4 + length + ((4 - (length % 4)) % 4)
  }
  return undefined
}

/** RFC 8489, 14.5: the covered length includes the integrity attribute itself. */
function integrityOf(packet: Buffer, start: number, password: string): Buffer {
  const covered = Buffer.from(packet.subarray(0, start))
  covered.writeUInt16BE(start - headerLength + 24, 2)
  return createHmac('sha1', password).update(covered).digest()
}

export function bindingSuccess(request: BindingRequest, address: string, port: number, password: string): Buffer {
  const octets = addressOctets(address)
  const mapped = Buffer.alloc(4 + octets.length)
  mapped.writeUInt8(isIPv4(address) ? 1 : 2, 1)
  mapped.writeUInt16BE(port ^ (magicCookie >>> 16), 2)
  const mask = Buffer.alloc(16)
  mask.writeUInt32BE(magicCookie)
  request.transactionId.copy(mask, 4)
  for (const [at, octet] of octets.entries()) mapped.writeUInt8(octet ^ mask.readUInt8(at), 4 + at)
  return compose(bindingSuccessType, request.transactionId, xorMappedAddress, mapped, password)
}

/** The error 487 (Role Conflict) of RFC 8445, 7.3.1.1. */
export function roleConflict(request: BindingRequest, password: string): Buffer {
  const value = Buffer.concat([Buffer.from([0, 0, 4, 87]), Buffer.from('Role Conflict   ')])
  return compose(bindingErrorType, request.transactionId, errorCode, value, password)
}

function compose(type: number, transactionId: Buffer, attribute: number, value: Buffer, password: string): Buffer {
  const header = Buffer.alloc(headerLength)
  header.writeUInt16BE(type, 0)
  header.writeUInt32BE(magicCookie, 4)
  transactionId.copy(header, 8)
  const message = Buffer.concat([header, attributeOf(attribute, value)])
  const integrity = attributeOf(messageIntegrity, integrityOf(message, message.length, password))
  const authenticated = Buffer.concat([message, integrity])
  authenticated.writeUInt16BE(authenticated.length - headerLength + 8, 2)
  const fingerprint = Buffer.alloc(4)
  fingerprint.writeUInt32BE((crc32(authenticated) ^ fingerprintMask) >>> 0)
  return Buffer.concat([authenticated, attributeOf(fingerprintAttribute, fingerprint)])
}

/** All values here are multiples of four octets, so that they need no padding. */
function attributeOf(type: number, value: Buffer): Buffer {
  const header = Buffer.alloc(4)
  header.writeUInt16BE(type, 0)
  header.writeUInt16BE(value.length, 2)
  return Buffer.concat([header, value])
}
