import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMediaStory, until } from './start-media-story.ts'

const openRoom = await startMediaStory()

test('two people see and hear each other, and a third who joins late sees them at once', async () => {
  const { enter } = openRoom()
  const alice = await enter('alice')
  const bob = await enter('bob')
  for (const one of [alice, bob]) {
    await one.set('camera', true)
    await one.set('microphone', true)
  }
  await Promise.all([
    alice.perceives('bob', 'camera'),
    alice.perceives('bob', 'microphone'),
    bob.perceives('alice', 'camera'),
    bob.perceives('alice', 'microphone'),
  ])
  await until(() => bob.page.evaluate(() => media.colours('alice', 'camera') > 1), 'a picture is on show')

  const startedMs = performance.now()
  const carol = await enter('carol')
  const inMs = performance.now()
  await carol.perceives('alice', 'camera')
  const seenMs = performance.now()
  console.log(
    `carol was in after ${Math.round(inMs - startedMs)} ms, and saw alice ${Math.round(seenMs - inMs)} ms later`,
  )
  await carol.perceives('bob', 'microphone')
  for (const one of [alice, bob, carol]) await one.leave()
})

test('a muted participant is not heard, and is heard after unmuting', async () => {
  const { enter } = openRoom()
  const alice = await enter('alice')
  const bob = await enter('bob')
  await alice.set('microphone', true)
  await bob.perceives('alice', 'microphone')

  await alice.set('microphone', false)
  await bob.perceivesNothingOf('alice', 'microphone')
  assert.ok((await bob.events()).includes('trackMuted'))

  await alice.set('microphone', true)
  await bob.perceives('alice', 'microphone')
  for (const one of [alice, bob]) await one.leave()
})

test('a screen is shared with its audio, and the sharing ends', async () => {
  const { enter } = openRoom()
  const alice = await enter('alice')
  const bob = await enter('bob')
  await alice.set('camera', true)
  await alice.set('screen', true)
  await bob.perceives('alice', 'screen_share')
  await bob.perceives('alice', 'camera')

  await alice.set('screen', false)
  await until(async () => (await bob.events()).includes('trackUnpublished'), 'bob is told')
  await bob.perceives('alice', 'camera')
  for (const one of [alice, bob]) await one.leave()
})

test('participants send messages to all and to one, and so does the server', async () => {
  const { enter, room, server } = openRoom()
  const alice = await enter('alice')
  const bob = await enter('bob')
  const carol = await enter('carol')
  const receivedBy = async (one: typeof alice) =>
    (await one.page.evaluate(() => media.messages)).filter(({ topic }) => topic !== 'probe')
  // Data channels open some time after the media connection, and earlier messages are dropped.
  await until(async () => {
    await alice.page.evaluate(() =>
      media.room.localParticipant.publishData(new Uint8Array(1), { reliable: true, topic: 'probe' }),
    )
    const received = await Promise.all([bob, carol].map(({ page }) => page.evaluate(() => media.messages.length)))
    return received.every((count) => count > 0)
  }, 'the data channels of both are open')
  await alice.page.evaluate(async () => {
    const { localParticipant } = media.room
    const octets = (text: string) => new TextEncoder().encode(text)
    await localParticipant.publishData(octets('to all'), { reliable: true, topic: 'chat' })
    await localParticipant.publishData(octets('to bob'), { reliable: true, destinationIdentities: ['bob'] })
  })
  await server.service.sendData(room, new TextEncoder().encode('from the server'), 0, { topic: 'host' })
  await until(async () => (await receivedBy(bob)).length === 3, 'bob reads three messages')
  await until(async () => (await receivedBy(carol)).length === 2, 'carol reads two')
  const texts = (await receivedBy(bob)).map(({ text, from, topic }) => [text, from, topic])
  assert.deepEqual(texts.toSorted(), [
    ['from the server', undefined, 'host'],
    ['to all', 'alice', 'chat'],
    ['to bob', 'alice', undefined],
  ])
  assert.deepEqual((await receivedBy(carol)).map(({ text }) => text).toSorted(), ['from the server', 'to all'])
  for (const one of [alice, bob, carol]) await one.leave()
})
