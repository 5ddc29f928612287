import { constants, setPriority } from 'node:os'
import { DataPacket, DataPacket_Kind, TrackSource, UserPacket } from '@livekit/protocol'
import { RtpHeader } from 'werift'
import { RawClient } from '../../apps/server/test/media/raw-client.ts'

/**
 * A hostile guest in a separate process. It enters and, on command, sends as fast as possible, or keeps its processor
 * equally busy without sending, so that a flood and its control differ only in the packets.
 */
export type FloodKind = 'data' | 'media' | 'nothing'
export type FloodOrder = { kind: 'enter'; url: string; token: string } | { kind: FloodKind } | { kind: 'stop' }
export type FloodReport = { kind: 'entered' } | { kind: 'failed'; why: string } | { kind: 'stopped'; sent: number }

// Real guests have their own machines: here they get only the processor time that the engine and the driver leave.
setPriority(constants.priority.PRIORITY_LOW)

const messageOctets = 200
/** Packets between two checks for commands. */
const batch = 20
/** Enough for the channel to always have data to send. */
const maxBufferedOctets = 256 * 1024

let client: RawClient | undefined
let ssrc = 0
let sequenceNumber = 0
let flooding: FloodKind | undefined
let sent = 0

const report = (message: FloodReport) => process.send?.(message)
const message = new DataPacket({
  kind: DataPacket_Kind.RELIABLE,
  value: { case: 'user', value: new UserPacket({ payload: Buffer.alloc(messageOctets), topic: 'flood' }) },
}).toBinary()

async function sendBatch(kind: FloodKind): Promise<void> {
  for (let count = 0; count < batch; count++) {
    if (kind === 'data' && client?.data !== undefined && client.data.bufferedAmount < maxBufferedOctets) {
      client.data.send(Buffer.from(message))
      sent += 1
    }
    if (kind === 'media') {
      sequenceNumber = (sequenceNumber + 1) & 0xffff
      const header = new RtpHeader({ ssrc, sequenceNumber, timestamp: sequenceNumber * 960, payloadType: 96 })
      await client?.peer.dtlsTransports[0]?.sendRtp(Buffer.alloc(messageOctets), header)
      sent += 1
    }
  }
}

async function flood(kind: FloodKind): Promise<void> {
  flooding = kind
  sent = 0
  while (flooding !== undefined) {
    await sendBatch(kind).catch(() => {})
    await new Promise((resolve) => setImmediate(resolve))
  }
  report({ kind: 'stopped', sent })
}

/** On a busy machine, a handshake may take longer than a client waits for it. */
const maxTries = 5

async function enter(url: string, token: string, tries = 1): Promise<void> {
  client = RawClient.join(url, token)
  try {
    await client.connect()
  } catch (error) {
    await client.close()
    if (tries === maxTries) throw error
    return enter(url, token, tries + 1)
  }
  ssrc = (await client.publish('audio', 'voice', TrackSource.MICROPHONE)).ssrc
}

process.on('message', (order: FloodOrder) => {
  if (order.kind === 'stop') flooding = undefined
  else if (order.kind !== 'enter') void flood(order.kind)
  else
    enter(order.url, order.token).then(
      () => report({ kind: 'entered' }),
      (error: unknown) => report({ kind: 'failed', why: String(error) }),
    )
})
process.on('disconnect', () => process.exit())
