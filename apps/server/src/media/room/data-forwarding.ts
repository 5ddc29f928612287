import { DataPacket, DataPacket_Kind, ParticipantInfo_State } from '@livekit/protocol'
import type { Participant } from './participant.ts'

/** The channels of livekit-client. */
const labels = { [DataPacket_Kind.RELIABLE]: '_reliable', [DataPacket_Kind.LOSSY]: '_lossy' } as const
/** Each recipient costs an encryption: in a room of 200 a message counts as eleven. */
const recipientsPerMessage = 20
/** What participants say to each other. Who speaks, for one, only the server says. */
const spoken = new Set<DataPacket['value']['case']>([
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

/** Hands on what a participant sent, in its name. What it may not send, or nobody can read, goes nowhere. */
export function forwardData(
  participants: readonly Participant[],
  from: Participant,
  label: string,
  message: Buffer,
): void {
  const kind = label === labels[DataPacket_Kind.LOSSY] ? DataPacket_Kind.LOSSY : DataPacket_Kind.RELIABLE
  if (label !== labels[kind] || !from.person.permission.canPublishData) return
  const packet = readPacket(message)
  if (packet === undefined || !spoken.has(packet.value.case)) return
  if (kind === DataPacket_Kind.RELIABLE) from.lastDataSequence = packet.sequence
  packet.participantIdentity = from.identity
  packet.participantSid = from.sid
  if (packet.value.case === 'user') {
    packet.value.value.participantIdentity = from.identity
    packet.value.value.participantSid = from.sid
  }
  sendData(participants, packet, kind, from)
}

/** Sends to those whom the packet names, or to everybody, but not back. */
export function sendData(
  participants: readonly Participant[],
  packet: DataPacket,
  kind: DataPacket_Kind,
  from?: Participant,
): void {
  const inner = packet.value.case === 'user' ? packet.value.value : undefined
  const identities = [...packet.destinationIdentities, ...(inner?.destinationIdentities ?? [])]
  const sids = inner?.destinationSids ?? []
  const isFor = (one: Participant) =>
    identities.length + sids.length === 0 || identities.includes(one.identity) || sids.includes(one.sid)
  packet.kind = kind
  const octets = Buffer.from(packet.toBinary())
  const recipients = participants.filter(
    (one) => one !== from && one.state === ParticipantInfo_State.ACTIVE && isFor(one),
  )
  for (const one of recipients) one.sendData(labels[kind], octets)
  from?.chargeMessages(recipients.length / recipientsPerMessage)
}

function readPacket(message: Buffer): DataPacket | undefined {
  try {
    return DataPacket.fromBinary(message)
  } catch {
    return undefined
  }
}
