import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { meetPeople } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { clickWhereSeen, isInSight, overlaps } from '../real-input.ts'
import { startMedia, startRoomStory } from './start-room-story.ts'

const story = await startRoomStory()
const { alice, bob } = await meetPeople(story.app)
await startMedia(story, alice)

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const closePanel = (page: Page) =>
  clickWhereSeen(page.getByRole('complementary').getByRole('button', { name: 'Close' }))
const field = (page: Page) => page.getByRole('textbox', { name: 'Message everyone' })

/** Alice hosts, and Bob is inside with her. */
async function aliceAndBobMeet() {
  const meeting = await story.startMeeting(alice)
  const { page: host } = await story.openMeeting(meeting, alice)
  await clickWhereSeen(button(host, 'Join now'))
  await button(host, 'Leave').waitFor()
  const { page: bobs, context } = await story.openMeeting(meeting, bob, {
    expected: /ERR_INTERNET_DISCONNECTED|WebSocket/,
  })
  await clickWhereSeen(button(bobs, 'Join now'))
  await button(bobs, 'Leave').waitFor()
  return { meeting, host, bobs, context }
}

const sizes = [
  { name: 'desktop', width: 1280, height: 900 },
  { name: 'phone', width: 360, height: 640 },
  { name: 'desktop at 200 %', width: 640, height: 450 },
] as const

test('Bob mutes, opens the chat and types: the letters are a message, and the microphone stays off', async () => {
  const { host, bobs } = await aliceAndBobMeet()
  const mutedBob = host.locator('li[data-person]', { hasText: 'Bob Test' }).getByRole('img', { name: 'Muted' })
  await clickWhereSeen(button(bobs, 'Mute'))
  await mutedBob.waitFor()
  await clickWhereSeen(button(bobs, 'Chat'))
  await bobs.keyboard.type('my turn, vote for the pig')
  assert.equal(await field(bobs).inputValue(), 'my turn, vote for the pig')
  await bobs.keyboard.press('Enter')
  await bobs.getByRole('log').getByText('my turn, vote for the pig').waitFor()
  await bobs.keyboard.type('more')
  await clickWhereSeen(button(bobs, 'Send'))
  await bobs.keyboard.type('and more')
  assert.equal(await field(bobs).inputValue(), 'and more')

  // A click on the panel's text moves the focus out of the field; typed keys are still not shortcuts.
  await clickWhereSeen(bobs.getByRole('heading', { name: 'Chat' }))
  await bobs.keyboard.type('mvhcpidg')
  await bobs.keyboard.down('Space')
  await bobs.keyboard.up('Space')
  await clickWhereSeen(button(bobs, 'People'))
  await bobs.keyboard.type('mvhidg')
  await closePanel(bobs)
  await clickWhereSeen(button(bobs, 'Invite'))
  await bobs.keyboard.type('mvhcpg')
  await bobs.keyboard.press('Escape')
  await button(bobs, 'Invite').and(bobs.locator(':focus')).waitFor()
  await button(bobs, 'Unmute').waitFor()
  await button(bobs, 'Stop video').waitFor()
  await mutedBob.waitFor()

  // A host's request does not take typed keys as its answer.
  await clickWhereSeen(button(bobs, 'Chat'))
  await clickWhereSeen(button(host, 'People'))
  await clickWhereSeen(button(host, 'Actions for Bob Test'))
  await clickWhereSeen(host.getByRole('menuitem', { name: 'Ask to unmute' }))
  await bobs.getByText('The host is asking you to unmute').waitFor()
  await bobs.keyboard.type('so far  so good')
  assert.equal(await field(bobs).inputValue(), 'so far  so good')
  await mutedBob.waitFor()

  // On the stage the shortcuts work, and closing the chat returns the focus there.
  await bobs.keyboard.press('Escape')
  await button(bobs, 'Chat').and(bobs.locator(':focus')).waitFor()
  await bobs.keyboard.press('m')
  await mutedBob.waitFor({ state: 'detached' })
})

test('mute and leave stay visible offline, beside a panel, on a phone and at 200 %', async () => {
  const { bobs, context } = await aliceAndBobMeet()
  await context.setOffline(true)
  await bobs
    .getByText(/offline/i)
    .first()
    .waitFor()
  for (const { name, ...size } of sizes) {
    await bobs.setViewportSize(size)
    for (const panel of [undefined, 'Chat', 'People']) {
      if (panel !== undefined) await clickWhereSeen(button(bobs, panel))
      await isInSight(bobs.getByRole('button', { name: /^(Mute|Unmute)$/ }).first())
      await isInSight(button(bobs, 'Leave'))
      if (panel === 'Chat') await isInSight(field(bobs))
      if (panel !== undefined) await closePanel(bobs)
    }
    await bobs.screenshot({ path: `e2e/screenshots/room-offline-${name.replaceAll(/\W+/g, '-')}.png` })
  }
  await context.setOffline(false)
})

test('toasts and reactions cover no name, no menu and no field', async () => {
  const { host } = await aliceAndBobMeet()
  const notices = '[role="status"] [data-kind]'
  for (const { width, height } of sizes) {
    await host.setViewportSize({ width, height })
    await clickWhereSeen(button(host, 'People'))
    await clickWhereSeen(button(host, 'Mute all'))
    await host.getByText('Everyone except hosts is muted.').waitFor()
    assert.deepEqual(await overlaps(host, notices, 'aside, section[aria-label="Controls"]'), [])
    await closePanel(host)
    await host.getByText('Everyone except hosts is muted.').waitFor()
    assert.deepEqual(await overlaps(host, notices, 'li[data-person], section[aria-label="Controls"], h1'), [])
    if (width >= 768) continue
    await clickWhereSeen(button(host, 'More'))
    await host.getByRole('menuitem', { name: 'Settings' }).waitFor()
    assert.deepEqual(await overlaps(host, notices, '[role="menu"]'), [])
    await host.keyboard.press('Escape')
    await host.locator(notices).waitFor({ state: 'detached' })
  }
  await checkPage(host, 'room-two-people')
})
