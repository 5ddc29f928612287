import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { classes, Message, methods } from 'werift'
import { secureRandom } from '../../platform/random.ts'
import { IceLite } from './ice-lite.ts'
import { type MuxMember, type RemoteAddress, UdpMux } from './udp-mux.ts'

/** A member with its own agent, and the data that reached it. */
function memberOf(mux: UdpMux) {
  const checks: Buffer[] = []
  const packets: string[] = []
  const lost: RemoteAddress[] = []
  const member: MuxMember = {
    receiveCheck(packet, from, nowMs) {
      checks.push(packet)
      ice.receive(packet, from, nowMs)
    },
    receive: (packet) => void packets.push(packet.toString('latin1')),
    isUsing: (address, nowMs) => ice.isUsing(address, nowMs),
    removeAddress(address) {
      lost.push(address)
      ice.removeAddress(address)
    },
  }
  const ice: IceLite = new IceLite(secureRandom, {
    addFragment: (key) => mux.addFragment(key, member),
    removeFragment: (key) => mux.removeFragment(key),
    claim: (address, nowMs) => mux.claim(address, member, nowMs),
    release: (address) => mux.release(address, member),
    send: (packet, to) => mux.send(packet, to),
  })
  return { ice, checks, packets, lost }
}

function checkOf({ usernameFragment, password }: { usernameFragment: string; password: string }): Buffer {
  const message = new Message(methods.BINDING, classes.REQUEST)
  message.setAttribute('USERNAME', `${usernameFragment}:client`)
  message.setAttribute('PRIORITY', 1)
  message.setAttribute('ICE-CONTROLLING', 5n)
  message.addMessageIntegrity(Buffer.from(password))
  message.addFingerprint()
  return message.bytes
}

/** A client's socket, which collects replies. */
async function clientOf(mux: UdpMux, type: 'udp4' | 'udp6' = 'udp4') {
  const socket: Socket = createSocket(type)
  const answers: Buffer[] = []
  socket.on('message', (packet) => answers.push(packet))
  socket.bind(0)
  await once(socket, 'listening')
  const send = (packet: Buffer | string) => socket.send(packet, mux.port, type === 'udp4' ? '127.0.0.1' : '::1')
  /** Send a check, and wait for the reply. */
  const check = async (credentials: { usernameFragment: string; password: string }) => {
    const count = answers.length
    send(checkOf(credentials))
    while (answers.length === count) await pause(5)
  }
  return { socket, answers, send, check, [Symbol.dispose]: () => socket.close() }
}

/** Earlier packets have arrived once a third member's packet has arrived. */
async function waitUntilIdle(mux: UdpMux): Promise<void> {
  const last = memberOf(mux)
  using client = await clientOf(mux)
  await client.check(last.ice.local)
  last.ice.close()
}

async function openMux(nowMs: () => number = () => 0) {
  const mux = await UdpMux.open({ port: 0 }, nowMs, () => {})
  return Object.assign(mux, { [Symbol.dispose]: () => mux.close() })
}

test('two clients share the port: checks are routed by fragment, all else by the verified address', async () => {
  using mux = await openMux()
  const [alice, bob] = [memberOf(mux), memberOf(mux)]
  using toAlice = await clientOf(mux)
  using toBob = await clientOf(mux, mux.withIpv6 ? 'udp6' : 'udp4')
  await toAlice.check(alice.ice.local)
  await toBob.check(bob.ice.local)
  toAlice.send('for alice')
  toBob.send('for bob')
  await waitUntilIdle(mux)
  assert.deepEqual([alice.packets, bob.packets], [['for alice'], ['for bob']])
  assert.deepEqual([alice.checks.length, bob.checks.length], [1, 1])
})

test('a datagram from an unknown address gets no reply, reaches no member and creates no route', async () => {
  using mux = await openMux()
  const alice = memberOf(mux)
  using stranger = await clientOf(mux)
  const before = mux.size
  const { usernameFragment } = alice.ice.local
  stranger.send('no check')
  stranger.send(Buffer.alloc(0))
  // Right fragment, wrong password; wrong fragment; a plain binding request; unknown fragments.
  stranger.send(checkOf({ usernameFragment, password: 'guessed' }))
  stranger.send(checkOf({ usernameFragment: '0'.repeat(12), password: 'guessed' }))
  stranger.send(checkOf({ usernameFragment: 'x'.repeat(12), password: 'guessed' }))
  stranger.send(checkOf({ usernameFragment: usernameFragment.slice(1), password: 'guessed' }))
  stranger.send(checkOf({ usernameFragment: `${usernameFragment}0`, password: 'guessed' }))
  stranger.send(Buffer.from('000100002112a442000000000000000000000000', 'hex'))
  // An attribute whose length exceeds the packet.
  stranger.send(Buffer.from('000100042112a4420000000000000000000000000006ffff', 'hex'))
  stranger.send('still no check')
  await waitUntilIdle(mux)
  assert.deepEqual([alice.checks.length, alice.packets, stranger.answers], [1, [], []])
  assert.deepEqual(mux.size, before)
})

test('drops a datagram larger than any of ours before parsing it', async () => {
  using mux = await openMux()
  const alice = memberOf(mux)
  using client = await clientOf(mux)
  await client.check(alice.ice.local)
  client.send('x'.repeat(2049))
  client.send('y'.repeat(2048))
  await waitUntilIdle(mux)
  assert.deepEqual(alice.packets, ['y'.repeat(2048)])
})

test('an address in use cannot be claimed with other credentials, and a silent one can', async () => {
  let nowMs = 0
  using mux = await openMux(() => nowMs)
  const [alice, mallory] = [memberOf(mux), memberOf(mux)]
  using client = await clientOf(mux)
  await client.check(alice.ice.local)
  // As if Mallory sent from Alice's address, which only needs a forged source.
  client.send(checkOf(mallory.ice.local))
  client.send('still for alice')
  await waitUntilIdle(mux)
  assert.deepEqual([alice.packets, mallory.packets, mallory.ice.selected], [['still for alice'], [], undefined])
  nowMs = 15_000
  await client.check(mallory.ice.local)
  client.send('for the next one')
  await waitUntilIdle(mux)
  assert.deepEqual([alice.packets.length, mallory.packets], [1, ['for the next one']])
  assert.deepEqual([alice.lost.length, alice.ice.selected], [1, undefined])
})

test('a client whose network changes its address continues from there', async () => {
  using mux = await openMux()
  const alice = memberOf(mux)
  using before = await clientOf(mux)
  using after = await clientOf(mux)
  await before.check(alice.ice.local)
  after.send('too early')
  await after.check(alice.ice.local)
  after.send('here now')
  before.send('still on its way')
  await waitUntilIdle(mux)
  assert.deepEqual(alice.packets.toSorted(), ['here now', 'still on its way'])
})

test('after an ICE restart both names lead to the member until the new one is used', async () => {
  using mux = await openMux()
  const alice = memberOf(mux)
  using client = await clientOf(mux)
  const old = alice.ice.local
  await client.check(old)
  alice.ice.restart()
  await client.check(old)
  await client.check(alice.ice.local)
  client.send(checkOf(old))
  await waitUntilIdle(mux)
  assert.deepEqual([alice.checks.length, client.answers.length], [3, 3])
})

test('a member that ends leaves no state, and its address is free for the next', async () => {
  using mux = await openMux()
  const before = mux.size
  const [alice, bob] = [memberOf(mux), memberOf(mux)]
  using client = await clientOf(mux)
  await client.check(alice.ice.local)
  assert.notDeepEqual(mux.size, before)
  alice.ice.close()
  client.send('for nobody')
  await client.check(bob.ice.local)
  client.send('for bob')
  await waitUntilIdle(mux)
  assert.deepEqual([alice.packets, bob.packets], [[], ['for bob']])
  bob.ice.close()
  assert.deepEqual(mux.size, before)
})

test('data that a member cannot parse ends neither it nor the port', async () => {
  using mux = await openMux()
  const alice = memberOf(mux)
  using client = await clientOf(mux)
  await client.check(alice.ice.local)
  const failing: MuxMember = {
    receiveCheck() {
      throw new Error('unreadable')
    },
    receive() {
      throw new Error('unreadable')
    },
    isUsing: () => false,
    removeAddress() {},
  }
  mux.addFragment(1, failing)
  client.send(checkOf({ usernameFragment: '000000000001', password: 'any' }))
  await waitUntilIdle(mux)
  client.send('alive')
  await waitUntilIdle(mux)
  assert.deepEqual(alice.packets, ['alive'])
})
