/** Content types of DTLS 1.2 (RFC 6347, 4.1; RFC 5246, 6.2.1). */
const CHANGE_CIPHER_SPEC = 20
const ALERT = 21
const HANDSHAKE = 22
const APPLICATION_DATA = 23
const CLIENT_HELLO = 1
const HEADER_LENGTH = 13
/** A flight of a handshake has five. After it each datagram has one. */
const MAX_RECORDS = 8

export const isHandshakeRecord = (packet: Buffer) => packet[0] === HANDSHAKE

/**
 * Whether werift may see a datagram of DTLS records. It would take any unknown content type for an alert, let an alert or a new
 * handshake in the clear, which anybody could have forged, end an established session, and decrypt any number of records.
 */
export function areRecordsSound(packet: Buffer, isConnected: boolean): boolean {
  let at = 0
  for (let records = 0; at < packet.length; records++) {
    if (records === MAX_RECORDS || at + HEADER_LENGTH > packet.length) return false
    const type = packet.readUInt8(at)
    if (type < CHANGE_CIPHER_SPEC || type > APPLICATION_DATA) return false
    const end = at + HEADER_LENGTH + packet.readUInt16BE(at + 11)
    if (end > packet.length) return false
    const isInTheClear = packet.readUInt16BE(at + 3) === 0
    if (isConnected && isInTheClear) {
      if (type === ALERT || type === APPLICATION_DATA) return false
      if (type === HANDSHAKE && packet[at + HEADER_LENGTH] === CLIENT_HELLO) return false
    }
    at = end
  }
  return true
}
