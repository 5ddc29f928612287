import { DataPacket, DataPacket_Kind, ParticipantInfo_State } from '@livekit/protocol'
import type { Participant } from './participant.ts'
import { areTogether, maySendData } from './permission.ts'

/** The labels of livekit-client's data channels. */
const labels = { [DataPacket_Kind.RELIABLE]: '_reliable', [DataPacket_Kind.LOSSY]: '_lossy' } as const
/** Each recipient costs an encryption: a message is charged 1, plus 1 for every 20 recipients. */
const recipientsPerMessage = 20
/** The packets that participants may send. Others, such as active speakers, come from the server only. */
const forwardedCases = new Set<DataPacket['value']['case']>([
  'user',
  'chatMessage',
  'transcription',
  'rpcRequest',
  'rpcAck',
  'rpcResponse',
  'streamHeader',
  'streamChunk',
  'streamTrailer',
  'encryptedPacket',
])

/** Forward a participant's data packet with its identity. Drops packets that it may not send and malformed ones. */
export function forwardData(
  participants: readonly Participant[],
  from: Participant,
  label: string,
  message: Buffer,
): void {
  const kind = label === labels[DataPacket_Kind.LOSSY] ? DataPacket_Kind.LOSSY : DataPacket_Kind.RELIABLE
  if (label !== labels[kind] || !from.profile.permission.canPublishData) return
  const packet = readPacket(message)
  if (packet === undefined || !forwardedCases.has(packet.value.case)) return
  if (!maySendData(from.profile.attributes, packet)) return
  if (!from.acceptsCaption(packet)) return
  if (kind === DataPacket_Kind.RELIABLE) from.lastDataSequence = packet.sequence
  packet.participantIdentity = from.identity
  packet.participantSid = from.sid
  if (packet.value.case === 'user') {
    packet.value.value.participantIdentity = from.identity
    packet.value.value.participantSid = from.sid
  }
  sendData(participants, packet, kind, from)
}

/**
 * Send a packet to its destinations, or to all participants if it names none, except its sender. Packets of a
 * participant stay in its breakout room.
 */
export function sendData(
  participants: readonly Participant[],
  packet: DataPacket,
  kind: DataPacket_Kind,
  from?: Participant,
): void {
  const inner = packet.value.case === 'user' ? packet.value.value : undefined
  const identities = [...packet.destinationIdentities, ...(inner?.destinationIdentities ?? [])]
  const sids = inner?.destinationSids ?? []
  const isDestination = ({ identity, sid }: Participant) =>
    identities.length + sids.length === 0 || identities.includes(identity) || sids.includes(sid)
  packet.kind = kind
  const octets = Buffer.from(packet.toBinary())
  const recipients = participants.filter(
    (participant) =>
      participant !== from &&
      participant.state === ParticipantInfo_State.ACTIVE &&
      (from === undefined || areTogether(from.profile, participant.profile)) &&
      isDestination(participant),
  )
  for (const recipient of recipients) recipient.sendData(labels[kind], octets)
  from?.chargeMessages(recipients.length / recipientsPerMessage)
}

function readPacket(message: Buffer): DataPacket | undefined {
  try {
    return DataPacket.fromBinary(message)
  } catch {
    return undefined
  }
}
