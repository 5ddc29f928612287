import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { meetPeople } from '../../apps/server/test/people.ts'
import { killAll, mediaEnginesBelow } from '../../apps/server/test/processes/process-tree.ts'
import { checkPage } from '../check-page.ts'
import { impairLine, type Line } from '../media/impair-line.ts'
import { perceives, receivedBy } from '../media/perception.ts'
import { until } from '../media/start-media-story.ts'
import { startRoomStory, withLivekit } from './start-room-story.ts'

const story = await startRoomStory()
const { alice, bob } = await meetPeople(story.app)

/** The embedded engine of this test's service. */
const engines = () => mediaEnginesBelow(process.pid)

const clear = { bitsPerSecond: Number.POSITIVE_INFINITY, cut: false }

/** From now on, record what the page must not say while the call goes on. Returns a function that reads it. */
async function recordUntruths(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const untruths = new Set<string>()
    Object.assign(globalThis, { untruths })
    const look = () => {
      if (document.body.textContent.includes('only one here')) untruths.add('alone')
      if (document.querySelector('button[aria-label^="Unmute"]') !== null) untruths.add('muted')
    }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true })
  })
  return () => page.evaluate(() => [...Object(globalThis).untruths])
}

/** On a line that carries one voice, video gives way and says so; a cut line is noticed before the connection is lost. */
async function playBadLine(page: Page, line: Line, diagnose: (line: string) => void): Promise<void> {
  const shows = (text: string) => page.getByText(text, { exact: true })
  line.setDown({ bitsPerSecond: 110_000 })
  await shows('Video is paused to keep sound.').waitFor()
  await perceives(page, { voices: 1 })
  await shows('Video paused').waitFor()
  await checkPage(page, 'room-video-paused')
  await page.getByRole('button', { name: 'Turn off video' }).click()
  await shows('You don’t receive the video of others.').waitFor()
  line.setDown(clear)
  await page.getByRole('button', { name: 'Turn on video' }).click()
  await perceives(page, { pictures: 1, voices: 1 })
  for (const text of ['Video is paused to keep sound.', 'Your connection is unstable.'])
    await shows(text).waitFor({ state: 'hidden' })

  for (const set of [line.setDown, line.setUp]) set({ cut: true })
  const cutMs = performance.now()
  await shows('Your connection is unstable.').waitFor()
  diagnose(`a cut line is noticed after ${Math.round(performance.now() - cutMs)} ms`)
  for (const set of [line.setDown, line.setUp]) set(clear)
  await shows('Your connection is unstable.').waitFor({ state: 'hidden' })
  await perceives(page, { pictures: 1, voices: 1 })
}

test('a line is thin and cut, then the media engine dies; both see and hear each other again', async (t) => {
  if (withLivekit) return t.diagnostic('NOT RUN: LiveKit is killed in test/livekit')
  const meeting = await story.startMeeting(alice)
  const options = { expected: /WebSocket connection|ERR_CONNECTION|status of (401|50\d)/ }
  const { page: a } = await story.openMeeting(meeting, alice, options)
  await a.getByRole('button', { name: 'Join now' }).click()
  let line: Line | undefined
  const { page: b } = await story.openMeeting(meeting, bob, {
    ...options,
    async prepare(page) {
      line = await impairLine(page)
    },
  })
  t.after(() => line?.close())
  await b.getByRole('button', { name: 'Join now' }).click()
  await perceives(a, { pictures: 1, voices: 1 })
  await perceives(b, { pictures: 1, voices: 1 })
  const readUntruths = await recordUntruths(b)
  if (line !== undefined) await playBadLine(b, line, (said) => t.diagnostic(said))
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
  assert.deepEqual(await readUntruths(), [])
  const [survivor] = (await engines()).filter((pid) => !killed.includes(pid))
  if (killed.length !== 1 || survivor === undefined) throw new Error('It was not the engine that was killed')
})
