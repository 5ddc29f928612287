import { test } from 'node:test'
import { startMediaStory, until } from './start-media-story.ts'

const openRoom = await startMediaStory()

test('when the signal socket is cut, the call continues and the socket reconnects', async () => {
  const { enter, server, room } = openRoom()
  const alice = await enter('alice')
  const bob = await enter('bob')
  await alice.set('camera', true)
  await alice.set('microphone', true)
  await bob.perceives('alice', 'camera')
  const sids = (await server.service.listParticipants(room)).map(({ sid }) => sid).toSorted()

  server.cut()
  await until(async () => (await alice.events()).includes('signalReconnecting'), 'alice notices')
  await until(async () => (await alice.events()).includes('reconnected'), 'alice is back')
  await until(async () => (await bob.events()).includes('reconnected'), 'bob is back')
  await bob.perceives('alice', 'camera')
  await bob.perceives('alice', 'microphone')
  await bob.set('microphone', true)
  await alice.perceives('bob', 'microphone')
  const after = (await server.service.listParticipants(room)).map(({ sid }) => sid).toSorted()
  // The session was resumed, not replaced.
  if (sids.join() !== after.join()) throw new Error('somebody joined anew')
  for (const one of [alice, bob]) await one.leave()
})

const { server: embedded } = openRoom()
if (embedded.restart !== undefined) {
  const { restart } = embedded
  test('when the engine is killed and restarted, all participants reconnect', async () => {
    const { enter } = openRoom()
    const alice = await enter('alice')
    const bob = await enter('bob')
    await alice.set('camera', true)
    await alice.set('microphone', true)
    await bob.perceives('alice', 'camera')
    const killedMs = performance.now()
    await restart()
    for (const one of [alice, bob]) {
      await until(async () => (await one.events()).includes('reconnected'), `${one.identity} is back`)
    }
    await bob.perceives('alice', 'camera')
    console.log(`alice was on show again ${Math.round(performance.now() - killedMs)} ms after the engine died`)
    await bob.perceives('alice', 'microphone')
    for (const one of [alice, bob]) await one.leave()
  })
}
