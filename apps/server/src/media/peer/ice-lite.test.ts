import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classes, Message, methods, parseMessage } from 'werift'
import { secureRandom } from '../../platform/random.ts'
import { addressInUseMs, IceLite, maxRemoteAddresses, selectedSilenceMs } from './ice-lite.ts'
import type { RemoteAddress } from './udp-mux.ts'

const here: RemoteAddress = { address: '192.0.2.7', port: 5000 }
const there: RemoteAddress = { address: '2001:db8::7', port: 5001 }

/**
 * An agent, its replies, and the fragments and addresses by which it is reached. `othersUse` are addresses that it
 * cannot have.
 */
function agent(othersUse: readonly RemoteAddress[] = []) {
  const answers: { packet: Buffer; to: RemoteAddress }[] = []
  const fragments = new Set<number>()
  const addresses = new Set<string>()
  const textOf = ({ address, port }: RemoteAddress) => `${address} ${port}`
  const ice = new IceLite(secureRandom, {
    addFragment: (key) => !fragments.has(key) && fragments.add(key) !== undefined,
    removeFragment: (key) => void fragments.delete(key),
    claim: (address) => {
      if (othersUse.some((one) => textOf(one) === textOf(address))) return false
      addresses.add(textOf(address))
      return true
    },
    release: (address) => void addresses.delete(textOf(address)),
    send: (packet, to) => void answers.push({ packet, to: { address: to.address, port: to.port } }),
  })
  return { ice, answers, fragments, addresses }
}

/** A check as another implementation makes it. */
function checkOf(
  credentials: { usernameFragment: string; password: string },
  nominated: boolean,
  role = 'ICE-CONTROLLING',
) {
  const message = new Message(methods.BINDING, classes.REQUEST)
  message.setAttribute('USERNAME', `${credentials.usernameFragment}:client`)
  message.setAttribute('PRIORITY', 1)
  message.setAttribute(role as 'ICE-CONTROLLING', 5n)
  if (nominated) message.setAttribute('USE-CANDIDATE', null)
  message.addMessageIntegrity(Buffer.from(credentials.password))
  message.addFingerprint()
  return message.bytes
}

const read = (packet: Buffer, password: string) => parseMessage(packet, Buffer.from(password))

test('answers a check with the address that it came from, of either family', () => {
  const { ice, answers } = agent()
  for (const from of [here, there]) {
    ice.receive(checkOf(ice.local, false), from, 1000)
    const answer = answers.at(-1)
    const message = read(answer?.packet ?? Buffer.alloc(0), ice.local.password)
    assert.equal(message?.messageClass, classes.RESPONSE)
    assert.deepEqual(message?.getAttributeValue('XOR-MAPPED-ADDRESS'), [from.address, from.port])
    assert.deepEqual(answer?.to, from)
    assert.ok(ice.isProved(from))
  }
  assert.equal(ice.lastCheckMs, 1000)
})

test('sends to the address that the client nominates, and until then to the first one', () => {
  const { ice } = agent()
  assert.equal(ice.selected, undefined)
  ice.receive(checkOf(ice.local, false), here, 0)
  assert.deepEqual(ice.selected, here)
  ice.receive(checkOf(ice.local, false), there, 0)
  assert.deepEqual(ice.selected, here)
  ice.receive(checkOf(ice.local, true), there, 0)
  assert.deepEqual(ice.selected, there)
})

test('neither answers nor remembers a client with a wrong password', () => {
  const { ice, answers } = agent()
  ice.receive(checkOf({ ...ice.local, password: 'guessed' }, true), here, 0)
  ice.receive(checkOf({ ...ice.local, usernameFragment: 'guessed' }, true), here, 0)
  const check = checkOf(ice.local, true)
  for (let length = 0; length < check.length; length++) {
    // The fingerprint at the end proves nothing.
    if (length < check.length - 8) ice.receive(check.subarray(0, length), here, 0)
  }
  assert.deepEqual([answers, ice.selected, ice.lastCheckMs, ice.isProved(here)], [[], undefined, undefined, false])
})

test('reports a conflict to a client that also assumes the controlled role', () => {
  const { ice, answers } = agent()
  ice.receive(checkOf(ice.local, false, 'ICE-CONTROLLED'), here, 0)
  const message = read(answers[0]?.packet ?? Buffer.alloc(0), ice.local.password)
  assert.equal(message?.messageClass, classes.ERROR)
  assert.equal(message?.getAttributeValue('ERROR-CODE')[0], 487)
  assert.equal(ice.selected, undefined)
})

test('accepts the old password after a restart until the new one was used', () => {
  const { ice, answers } = agent()
  const before = ice.local
  ice.receive(checkOf(before, true), here, 0)
  ice.restart()
  assert.notDeepEqual(ice.local, before)
  ice.receive(checkOf(before, false), here, 0)
  assert.equal(answers.length, 2)
  ice.receive(checkOf(ice.local, true), there, 0)
  // The former address stays known: packets from it are still in transit.
  assert.deepEqual([ice.selected, ice.isProved(here)], [there, true])
  ice.receive(checkOf(before, true), here, 0)
  assert.equal(answers.length, 3)
  assert.deepEqual(ice.selected, there)
})

test('reports an IPv4 client its IPv4 address on a socket of both families', () => {
  const { ice, answers } = agent()
  ice.receive(checkOf(ice.local, false), { address: '::ffff:192.0.2.7', port: 5000 }, 0)
  const message = read(answers[0]?.packet ?? Buffer.alloc(0), ice.local.password)
  assert.deepEqual(message?.getAttributeValue('XOR-MAPPED-ADDRESS'), ['192.0.2.7', 5000])
})

test('drops the longest silent address when there are more than a browser tries', () => {
  const { ice, addresses } = agent()
  const from = (port: number) => ({ ...here, port })
  for (let port = 1; port <= maxRemoteAddresses; port++) ice.receive(checkOf(ice.local, false), from(port), port)
  assert.equal(addresses.size, maxRemoteAddresses)
  // The first is the selected address, the second has just checked again.
  ice.receive(checkOf(ice.local, false), from(2), 100)
  ice.receive(checkOf(ice.local, false), from(17), 101)
  assert.deepEqual(
    [1, 2, 3, 4, 17].map((port) => ice.isProved(from(port))),
    [true, true, false, true, true],
  )
  assert.equal(addresses.size, maxRemoteAddresses)
})

test('neither answers nor uses an address that another agent uses', () => {
  const { ice, answers } = agent([here])
  ice.receive(checkOf(ice.local, true), here, 0)
  assert.deepEqual([answers, ice.selected, ice.lastCheckMs], [[], undefined, undefined])
  ice.receive(checkOf(ice.local, true), there, 0)
  assert.deepEqual(ice.selected, there)
})

test('follows a client whose address was changed on the way, once the old one is silent', () => {
  const { ice } = agent()
  ice.receive(checkOf(ice.local, true), here, 0)
  ice.receive(checkOf(ice.local, false), there, selectedSilenceMs - 1)
  assert.deepEqual(ice.selected, here)
  ice.receive(checkOf(ice.local, false), there, selectedSilenceMs)
  assert.deepEqual(ice.selected, there)
})

test('an address is in use while checks come from it', () => {
  const { ice } = agent()
  assert.equal(ice.isUsing(here, 0), false)
  ice.receive(checkOf(ice.local, false), here, 0)
  assert.equal(ice.isUsing(here, addressInUseMs - 1), true)
  assert.equal(ice.isUsing(here, addressInUseMs), false)
  ice.removeAddress(here)
  assert.deepEqual([ice.selected, ice.isProved(here), ice.isUsing(here, 0)], [undefined, false, false])
})

test('restarts and the end release the addresses that they used', () => {
  const { ice, fragments, addresses } = agent()
  assert.equal(fragments.size, 1)
  for (let restarts = 0; restarts < 5; restarts++) ice.restart()
  assert.equal(fragments.size, 2)
  ice.receive(checkOf(ice.local, false), here, 0)
  assert.equal(fragments.size, 1)
  assert.ok(fragments.has(Number.parseInt(ice.local.usernameFragment, 16)))
  ice.receive(checkOf(ice.local, false), there, 0)
  ice.close()
  assert.deepEqual([fragments.size, addresses.size, ice.selected], [0, 0, undefined])
})
