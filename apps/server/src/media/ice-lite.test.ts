import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classes, Message, methods, parseMessage } from 'werift'
import { secureRandom } from '../platform/random.ts'
import { IceLite, type RemoteAddress } from './ice-lite.ts'

const here: RemoteAddress = { address: '192.0.2.7', port: 5000 }
const there: RemoteAddress = { address: '2001:db8::7', port: 5001 }

function agent() {
  const answers: { packet: Buffer; to: RemoteAddress }[] = []
  return { ice: new IceLite(secureRandom, (packet, to) => answers.push({ packet, to })), answers }
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

test('a check is answered with the address that it came from, of either family', () => {
  const { ice, answers } = agent()
  for (const from of [here, there]) {
    ice.receive(checkOf(ice.local, false), from, 1000)
    const answer = answers.at(-1)
    const message = read(answer?.packet ?? Buffer.alloc(0), ice.local.password)
    assert.equal(message?.messageClass, classes.RESPONSE)
    assert.deepEqual(message?.getAttributeValue('XOR-MAPPED-ADDRESS'), [from.address, from.port])
    assert.deepEqual(answer?.to, from)
    assert.ok(ice.knows(from))
  }
  assert.equal(ice.lastCheckMs, 1000)
})

test('it is sent to whom the client nominates, and until then to who came first', () => {
  const { ice } = agent()
  assert.equal(ice.selected, undefined)
  ice.receive(checkOf(ice.local, false), here, 0)
  assert.deepEqual(ice.selected, here)
  ice.receive(checkOf(ice.local, false), there, 0)
  assert.deepEqual(ice.selected, here)
  ice.receive(checkOf(ice.local, true), there, 0)
  assert.deepEqual(ice.selected, there)
})

test('who does not know the password is not answered, and not known', () => {
  const { ice, answers } = agent()
  ice.receive(checkOf({ ...ice.local, password: 'guessed' }, true), here, 0)
  ice.receive(checkOf({ ...ice.local, usernameFragment: 'guessed' }, true), here, 0)
  const check = checkOf(ice.local, true)
  for (let length = 0; length < check.length; length++) {
    // The fingerprint at the end is not what proves anything.
    if (length < check.length - 8) ice.receive(check.subarray(0, length), here, 0)
  }
  assert.deepEqual([answers, ice.selected, ice.lastCheckMs, ice.knows(here)], [[], undefined, undefined, false])
})

test('who believes to be controlled, too, is told of the conflict', () => {
  const { ice, answers } = agent()
  ice.receive(checkOf(ice.local, false, 'ICE-CONTROLLED'), here, 0)
  const message = read(answers[0]?.packet ?? Buffer.alloc(0), ice.local.password)
  assert.equal(message?.messageClass, classes.ERROR)
  assert.equal(message?.getAttributeValue('ERROR-CODE')[0], 487)
  assert.equal(ice.selected, undefined)
})

test('after a restart the old password counts until the new one was used', () => {
  const { ice, answers } = agent()
  const before = ice.local
  ice.receive(checkOf(before, true), here, 0)
  ice.restart()
  assert.notDeepEqual(ice.local, before)
  ice.receive(checkOf(before, false), here, 0)
  assert.equal(answers.length, 2)
  ice.receive(checkOf(ice.local, true), there, 0)
  // What was sent to until then stays known: packets are on their way from it.
  assert.deepEqual([ice.selected, ice.knows(here)], [there, true])
  ice.receive(checkOf(before, true), here, 0)
  assert.equal(answers.length, 3)
  assert.deepEqual(ice.selected, there)
})

test('sixteen addresses are enough for anybody', () => {
  const { ice } = agent()
  const from = (port: number) => ({ ...here, port })
  for (let port = 1; port <= 17; port++) ice.receive(checkOf(ice.local, false), from(port), 0)
  assert.deepEqual([ice.knows(from(16)), ice.knows(from(17))], [true, false])
})
