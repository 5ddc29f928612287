import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { meetPeople } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { perceives } from '../media/perception.ts'
import { until } from '../media/start-media-story.ts'
import { clickWhereSeen, overlaps } from '../real-input.ts'
import { startMedia, startRoomStory } from './start-room-story.ts'

const story = await startRoomStory()
const { alice, bob } = await meetPeople(story.app)
await startMedia(story, alice)

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
/** In the toolbar; the notice about the hard mute has the same button. */
const raiseHand = (page: Page) => page.getByLabel('Raise hand', { exact: true })

/** Longer than the interval at which a raised hand is announced again. */
const announcedAgainMs = 4_000

/** Count the tones that the page plays. */
const countTones = (context: BrowserContext) =>
  context.addInitScript(() => {
    Object.assign(globalThis, { tones: 0 })
    const { start } = OscillatorNode.prototype
    OscillatorNode.prototype.start = function (...when) {
      Object(globalThis).tones += 1
      return start.apply(this, when)
    }
  })

const tonesOf = (page: Page): Promise<number> => page.evaluate(() => Object(globalThis).tones)

const namesInList = (page: Page) =>
  page
    .getByRole('complementary')
    .getByRole('listitem')
    .evaluateAll((rows) => rows.map((row) => /Alice|Bob|Gita/.exec(row.textContent ?? '')?.[0]))

test('the host sees and hears two raised hands while reading the chat, lowers one, and allows the other to speak', async () => {
  const meeting = await story.startMeeting(alice, { participantHardAudioMute: true })
  const { page: host, context } = await story.openMeeting(meeting, alice)
  await countTones(context)
  await host.reload()
  await host.goto(`/j/${meeting.svcMeetId}#pin=${meeting.pin}`)
  await clickWhereSeen(button(host, 'Join now'))
  const { page: bobs } = await story.openMeeting(meeting, bob)
  await clickWhereSeen(button(bobs, 'Join now'))
  const { page: gitas } = await story.openMeeting(meeting, 'Gita')
  await clickWhereSeen(button(gitas, 'Join now'))
  await host.locator('li[data-person]', { hasText: 'Gita' }).waitFor()
  await clickWhereSeen(button(host, 'Chat'))
  const silent = await tonesOf(host)

  await clickWhereSeen(raiseHand(bobs))
  await host.getByText('Bob Test raised a hand.', { exact: true }).last().waitFor()
  await button(host, 'People, 1 hand raised').waitFor()
  await until(async () => (await tonesOf(host)) > silent, 'the host hears it')
  await gitas.keyboard.press('h')
  await host.getByText('2 hands are raised, Bob Test first.').waitFor()
  await button(host, 'People, 2 hands raised').waitFor()
  await checkPage(host, 'room-hands')
  assert.equal(
    await bobs.getByRole('region', { name: 'Raised hands' }).count(),
    0,
    'participants are not asked to look',
  )

  await clickWhereSeen(button(host, 'View'))
  assert.deepEqual(await namesInList(host), ['Bob', 'Gita', 'Alice'])
  await checkPage(host, 'room-hands-people')
  await clickWhereSeen(button(host, 'Actions for Gita'))
  await clickWhereSeen(host.getByRole('menuitem', { name: 'Lower hand' }))
  await raiseHand(gitas).waitFor()
  await gitas.waitForTimeout(announcedAgainMs)
  await button(host, 'People, 1 hand raised').waitFor()
  assert.deepEqual(await namesInList(host), ['Bob', 'Alice', 'Gita'])

  await clickWhereSeen(button(host, 'Actions for Bob Test'))
  await clickWhereSeen(host.getByRole('menuitem', { name: 'Allow to speak' }))
  await bobs.getByText('You may speak now.').waitFor()
  await raiseHand(bobs).waitFor()
  await checkPage(bobs, 'room-may-speak')
  await button(host, 'People').waitFor()
  await clickWhereSeen(button(bobs, 'Unmute').first())
  await perceives(host, { voices: 1 })
  await bobs.getByText('You may speak now.').waitFor({ state: 'detached' })
})

test('a participant cannot lower another one’s hand', async () => {
  const meeting = await story.startMeeting(alice)
  const { page: bobs } = await story.openMeeting(meeting, bob)
  await clickWhereSeen(button(bobs, 'Join now'))
  const { page: gitas } = await story.openMeeting(meeting, 'Gita')
  await clickWhereSeen(button(gitas, 'Join now'))
  await gitas.locator('li[data-person]', { hasText: 'Bob Test' }).waitFor()
  await clickWhereSeen(raiseHand(bobs))
  await gitas
    .locator('li[data-person]', { hasText: 'Bob Test' })
    .getByText('Hand raised')
    .waitFor({ state: 'attached' })
  await clickWhereSeen(button(gitas, 'People'))
  assert.equal(await button(gitas, 'Actions for Bob Test').count(), 0)
})

test('reactions cover no name', async () => {
  const meeting = await story.startMeeting(alice)
  const { page: host } = await story.openMeeting(meeting, alice)
  await clickWhereSeen(button(host, 'Join now'))
  const { page: bobs } = await story.openMeeting(meeting, bob)
  await clickWhereSeen(button(bobs, 'Join now'))
  await host.locator('li[data-person]', { hasText: 'Bob Test' }).waitFor()
  await clickWhereSeen(button(bobs, 'React'))
  for (const name of ['Heart', 'Applause', 'Party']) await bobs.getByRole('menuitem', { name }).click()
  const shown = host.getByRole('list', { name: 'Reactions' }).getByRole('listitem')
  for (const width of [1280, 390]) {
    await host.setViewportSize({ width, height: 800 })
    await clickWhereSeen(bobs.getByRole('menuitem', { name: 'Heart' }))
    await shown.first().waitFor()
    assert.deepEqual(await overlaps(host, 'ul[aria-label="Reactions"] > li', '[class*="caption"]'), [])
  }
})
