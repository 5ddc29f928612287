/** Content types of DTLS 1.2 (RFC 6347, 4.1; RFC 5246, 6.2.1). */
const changeCipherSpec = 20
const alertRecord = 21
const handshakeRecord = 22
const applicationData = 23
const clientHello = 1
const headerLength = 13
/** A flight of a handshake has five records. After the handshake each datagram has one. */
const maxRecords = 8

export const isHandshakeRecord = (packet: Buffer) => packet[0] === handshakeRecord

/**
 * Whether werift may process a datagram of DTLS records. werift treats any unknown content type as an alert, lets an
 * unencrypted alert or handshake, which can be forged, end an established session, and decrypts any number of records.
 */
export function areRecordsValid(packet: Buffer, isConnected: boolean): boolean {
  let at = 0
  for (let records = 0; at < packet.length; records++) {
    if (records === maxRecords || at + headerLength > packet.length) return false
    const type = packet.readUInt8(at)
    if (type < changeCipherSpec || type > applicationData) return false
    const end = at + headerLength + packet.readUInt16BE(at + 11)
    if (end > packet.length) return false
    const isInTheClear = packet.readUInt16BE(at + 3) === 0
    if (isConnected && isInTheClear) {
      if (type === alertRecord || type === applicationData) return false
      if (type === handshakeRecord && packet[at + headerLength] === clientHello) return false
    }
    at = end
  }
  return true
}
