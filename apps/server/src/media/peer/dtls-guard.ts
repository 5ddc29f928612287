/** Content types of DTLS 1.2 (RFC 6347, 4.1; RFC 5246, 6.2.1). */
const changeCipherSpec = 20
const alertRecord = 21
const handshakeRecord = 22
const applicationData = 23
const clientHello = 1
const headerLength = 13
/** A flight of a handshake has five. After it each datagram has one. */
const maxRecords = 8

export const isHandshakeRecord = (packet: Buffer) => packet[0] === handshakeRecord

/**
 * Whether werift may see a datagram of DTLS records. It would take any unknown content type for an alert, let an alert or a new
 * handshake in the clear, which anybody could have forged, end an established session, and decrypt any number of records.
 */
export function areRecordsSound(packet: Buffer, isConnected: boolean): boolean {
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
