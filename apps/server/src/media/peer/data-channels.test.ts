import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as yieldTurn } from 'node:timers/promises'
import {
  RTCDataChannel,
  RTCDataChannelParameters,
  type RTCDtlsTransport,
  RTCSctpTransport,
  Event as WeriftEvent,
} from 'werift'
import { DataChannels } from './data-channels.ts'

const sctpPort = 5000
const messageCount = 3000
/** Callers that opened a channel sometimes wait for a flush, each for their own message. */
const maxWaitingForFlush = 10

/**
 * The DTLS interface that an association needs: a transport to the other side, which takes a turn of the event loop.
 */
class Wire {
  readonly id: string
  readonly iceTransport: { role: string }
  readonly onStateChange = new WeriftEvent<[string]>()
  /** None once the association has ended. */
  dataReceiver: ((packet: Buffer) => void) | undefined
  other: Wire | undefined

  constructor(role: 'controlling' | 'controlled') {
    this.id = role
    this.iceTransport = { role }
  }

  sendData = async (packet: Buffer): Promise<void> => {
    setImmediate(() => this.other?.dataReceiver?.(packet))
  }

  get asDtls(): RTCDtlsTransport {
    return this as unknown as RTCDtlsTransport
  }
}

/** werift keeps them private. */
const waitingFor = (flush: unknown) => (flush as { event: { stack: readonly unknown[] } }).event.stack.length

test('however many messages wait for a slow client, few wait for a flush', async (t) => {
  const [ours, theirs] = [new Wire('controlled'), new Wire('controlling')]
  ours.other = theirs
  theirs.other = ours
  const made: RTCSctpTransport[] = []
  const setDtlsTransport = RTCSctpTransport.prototype.setDtlsTransport
  t.mock.method(
    RTCSctpTransport.prototype,
    'setDtlsTransport',
    function (this: RTCSctpTransport, dtls: RTCDtlsTransport) {
      made.push(this)
      setDtlsTransport.call(this, dtls)
    },
  )
  const channels = new DataChannels(ours.asDtls, { onData() {}, onPacket() {} })
  const [sending] = made
  const client = new RTCSctpTransport(sctpPort)
  client.setDtlsTransport(theirs.asDtls)
  client.setRemotePort(sctpPort)
  t.after(async () => {
    channels.close()
    await client.stop()
  })
  channels.start()
  await client.start(sctpPort)
  const channel = new RTCDataChannel(client, new RTCDataChannelParameters({ label: '_reliable', ordered: true }))
  while (channel.readyState !== 'open') await yieldTurn()

  const received: number[] = []
  channel.onMessage.subscribe((message) => received.push(Buffer.from(message).readUInt32BE()))
  for (let at = 0; at < messageCount; at++) {
    const message = Buffer.alloc(200)
    message.writeUInt32BE(at)
    assert.ok(channels.send('_reliable', message))
  }
  while (received.length < messageCount) {
    const waiting = waitingFor(sending?.sctp.flush)
    assert.ok(waiting <= maxWaitingForFlush, `${waiting}`)
    await yieldTurn()
  }
  assert.deepEqual(
    received,
    Array.from({ length: messageCount }, (_, at) => at),
  )
})
