import { test } from 'node:test'
import { meetPeople } from '../../apps/server/test/people.ts'
import { killAll, mediaEnginesBelow } from '../../apps/server/test/processes/process-tree.ts'
import { perceives, receivedBy } from '../media/perception.ts'
import { until } from '../media/start-media-story.ts'
import { startRoomStory, withLivekit } from './start-room-story.ts'

const story = await startRoomStory()
const { alice, bob } = await meetPeople(story.app)

/** The embedded engine of this test's service. */
const engines = () => mediaEnginesBelow(process.pid)

test('the media engine dies during a call, and both participants see and hear each other again', async (t) => {
  if (withLivekit) return t.diagnostic('NOT RUN: LiveKit is killed in test/livekit')
  const meeting = await story.startMeeting(alice)
  const options = { expected: /WebSocket connection|ERR_CONNECTION|status of (401|50\d)/ }
  const { page: a } = await story.openMeeting(meeting, alice, options)
  await a.getByRole('button', { name: 'Join now' }).click()
  const { page: b } = await story.openMeeting(meeting, bob, options)
  await b.getByRole('button', { name: 'Join now' }).click()
  await perceives(a, { pictures: 1, voices: 1 })
  await perceives(b, { pictures: 1, voices: 1 })
  await b.getByRole('button', { name: 'Raise hand' }).click()
  const handOfBob = a.getByText('Hand raised, position').first()
  await handOfBob.waitFor({ state: 'attached' })

  const before = new Map(await Promise.all([a, b].map(async (page) => [page, await receivedBy(page)] as const)))
  const killed = await engines()
  killAll(killed)
  const killedAtMs = performance.now()
  for (const page of [a, b]) {
    const known = new Set(before.get(page)?.map(({ id }) => id))
    await until(
      async () =>
        (await receivedBy(page)).some(({ id, kind, amount }) => kind === 'video' && !known.has(id) && amount > 0),
      'a picture comes through the new engine',
    )
  }
  t.diagnostic(`both see each other again ${Math.round(performance.now() - killedAtMs)} ms after the engine was killed`)
  await perceives(a, { pictures: 1, voices: 1 })
  await perceives(b, { pictures: 1, voices: 1 })
  await handOfBob.waitFor({ state: 'attached' })
  const [survivor] = (await engines()).filter((pid) => !killed.includes(pid))
  if (killed.length !== 1 || survivor === undefined) throw new Error('It was not the engine that was killed')
})
