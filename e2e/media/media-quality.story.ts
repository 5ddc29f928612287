import assert from 'node:assert/strict'
import { test } from 'node:test'
import { impairLine, type Line } from './impair-line.ts'
import { startMediaStory, until } from './start-media-story.ts'

const openRoom = await startMediaStory()

test('audio and video of a participant share one clock', async () => {
  const { enter } = openRoom()
  const alice = await enter('alice')
  const bob = await enter('bob')
  await alice.set('camera', true)
  await alice.set('microphone', true)
  await bob.perceives('alice', 'camera')
  await bob.perceives('alice', 'microphone')
  const clocks = async () => {
    const all = await Promise.all((['camera', 'microphone'] as const).map((source) => bob.received('alice', source)))
    return all.map(({ estimatedPlayoutTimestamp }) => estimatedPlayoutTimestamp)
  }
  // The browser knows the sender's time only after a sender report for each track.
  await until(async () => (await clocks()).every((time) => time > 0), 'bob has reports of both')
  const [picture = 0, voice = 0] = await clocks()
  assert.ok(Math.abs(picture - voice) < 1000, `They are ${picture - voice} ms apart`)
  for (const one of [alice, bob]) await one.leave()
})

test('H.264 is forwarded like VP8', async () => {
  const { enter } = openRoom()
  const alice = await enter('alice')
  const bob = await enter('bob')
  await alice.page.evaluate(() =>
    media.room.localParticipant.setCameraEnabled(
      true,
      { resolution: { width: 640, height: 360 } },
      { videoCodec: 'h264' },
    ),
  )
  await bob.perceives('alice', 'camera')
  const carol = await enter('carol')
  await carol.perceives('alice', 'camera')
  assert.equal((await carol.received('alice', 'camera')).codec, 'video/H264')
  for (const one of [alice, bob, carol]) await one.leave()
})

test('a subscriber that requests less gets the smaller layer, and unwatched layers are not sent', async () => {
  const { enter } = openRoom()
  const alice = await enter('alice')
  const bob = await enter('bob')
  await alice.set('camera', true)
  const isWide = (width: number) => async () => (await bob.received('alice', 'camera')).frameWidth === width
  const ask = (quality: number) =>
    bob.page.evaluate((wanted) => {
      const [track] = media.room.remoteParticipants.get('alice')?.videoTrackPublications.values() ?? []
      track?.setVideoQuality(wanted)
    }, quality)
  await until(isWide(640), 'bob sees the large picture')
  await ask(0)
  await until(isWide(320), 'bob sees the small picture')
  // The large layer has no viewer: alice's browser is notified and stops encoding it.
  await until(async () => (await alice.page.evaluate(() => media.sent('h'))).bitsPerSecond === 0, 'alice sends less')
  await ask(2)
  await until(isWide(640), 'bob sees the large picture again')
  await bob.perceives('alice', 'camera')
  for (const one of [alice, bob]) await one.leave()
})

test('the small layer is selected without a pause when bandwidth is limited, and the large one when it recovers', async (story) => {
  const { enter } = openRoom()
  const alice = await enter('alice')
  let line: Line | undefined
  const bob = await enter('bob', {}, async (page) => {
    line = await impairLine(page)
  })
  story.after(() => line?.close())
  await alice.set('camera', true)
  const width = async () => (await bob.received('alice', 'camera')).frameWidth
  await until(async () => (await width()) === 640, 'bob sees the large picture', 2)
  let limit = 0
  await until(async () => {
    const [small, large] = await alice.page.evaluate(() => Promise.all([media.sent('q'), media.sent('h')]))
    limit = (small.bitsPerSecond + large.bitsPerSecond) / 2
    return large.bitsPerSecond > 1.5 * small.bitsPerSecond // A keyframe in either makes a second that says little.
  }, 'the large layer takes more than the small one')
  line?.setDown({ bitsPerSecond: limit })
  await until(async () => (await width()) === 320, 'bob sees the small picture', 3)
  await bob.perceives('alice', 'camera')
  line?.setDown({ bitsPerSecond: Number.POSITIVE_INFINITY })
  await until(async () => (await width()) === 640, 'bob sees the large picture again', 4)
  for (const one of [alice, bob]) await one.leave()
})
