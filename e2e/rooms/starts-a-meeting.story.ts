import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { meetPeople } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { clickWhereSeen, focusedName, isInSight } from '../real-input.ts'
import { startRoomStory } from './start-room-story.ts'

const story = await startRoomStory()
const { alice, bob } = await meetPeople(story.app)
const asGuest = {}

/** Open the menu with the other ways to start, whose first entry gets the focus. */
async function openMenu(page: Page) {
  await clickWhereSeen(page.getByRole('button', { name: 'More ways to start' }))
  await page.getByRole('menuitem', { name: 'Start now' }).waitFor()
}

test('Alice starts a meeting with one click, returns to it, and enters her own room', async () => {
  const { page } = await story.openPage({ person: alice })
  await page.goto('/meetings')
  await checkPage(page, 'meetings-first-page')
  const countMeetings = async () => (await alice.send('GET', '/api/meeting/me')).body.totalCount
  const before = await countMeetings()
  await openMenu(page)
  await checkPage(page, 'meetings-start-menu')
  await clickWhereSeen(page.getByRole('menuitem', { name: 'Start now' }))
  await page.getByRole('heading', { name: 'Alice’s meeting' }).waitFor()
  await page.getByRole('button', { name: 'Join now' }).waitFor()
  await checkPage(page, 'start-now')
  // A start that the host leaves again, by a reload or by going back, leaves no meeting.
  await page.reload()
  await page.getByRole('button', { name: 'Join now' }).waitFor()
  await page.goBack()
  await openMenu(page)
  await page.getByRole('menuitem', { name: 'Start now' }).dblclick()
  await page.getByRole('button', { name: 'Join now' }).waitFor()
  assert.equal(await countMeetings(), before)
  await page.getByRole('button', { name: 'Join now' }).dblclick()
  await page.getByRole('button', { name: 'Leave' }).waitFor()
  assert.match(new URL(page.url()).pathname, /^\/j\/[1-8]\d{9}$/)
  assert.equal(await countMeetings(), before + 1)
  // After a reload nobody is heard or seen before another click.
  await page.reload()
  await clickWhereSeen(page.getByRole('button', { name: 'Join now' }))
  await clickWhereSeen(page.getByRole('button', { name: 'Leave' }))
  // Actions for hosts only.
  await page.getByRole('button', { name: 'End for everyone' }).waitFor()
  await page.getByText('No one else is in the meeting.').waitFor()
  await page.keyboard.press('Escape')

  await page.goto('/meetings')
  await page
    .getByRole('region', { name: /^(Scheduled|Running) now$/ })
    .getByRole('link', { name: 'Join Alice’s meeting' })
    .waitFor()
  await openMenu(page)
  await clickWhereSeen(page.getByRole('menuitem', { name: /^Your room/ }))
  await page.getByRole('heading', { name: 'Alice Test’s room' }).waitFor()
  await page.getByRole('button', { name: 'Join now' }).waitFor()
})

test('a code may be typed on a phone with spaces and followed by the PIN; a whole link needs no PIN', async () => {
  const meeting = await story.startMeeting(alice, {}, { topic: 'Review' })
  const spaced = meeting.svcMeetId.replace(/^(...)(...)/, '$1 $2 ')
  const { page } = await story.openPage({ person: bob, viewport: { width: 360, height: 740 }, hasTouch: true })
  await page.goto('/meetings')
  await clickWhereSeen(page.getByRole('button', { name: 'Join with a code' }))
  // The focused field receives the text.
  await page.waitForFunction(() => document.activeElement?.matches('input[inputmode="numeric"]'))
  await page.keyboard.type('12345')
  await page.keyboard.press('Enter')
  await page.getByText('Enter the ten digits of the meeting ID, or paste the link.').waitFor()
  await checkPage(page, 'join-with-a-code')
  await page.getByRole('textbox', { name: 'Meeting ID or link' }).fill('')
  await page.keyboard.type(spaced)
  await page.keyboard.press('Tab')
  await page.keyboard.type(`${meeting.pin.slice(0, 3)} ${meeting.pin.slice(3).toUpperCase()}`)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Review' }).waitFor()
  assert.equal(new URL(page.url()).pathname, `/j/${meeting.svcMeetId}`)
  await page.getByRole('button', { name: 'Join now' }).waitFor()

  // A visitor without an account, from the start page.
  const guest = await story.openPage(asGuest)
  await guest.page.goto('/sign-in')
  await clickWhereSeen(guest.page.getByRole('link', { name: 'Join a meeting with a code' }))
  await guest.page.getByRole('heading', { name: 'Join a meeting', level: 1 }).waitFor()
  await checkPage(guest.page, 'join-by-code')
  const code = guest.page.getByRole('textbox', { name: 'Meeting ID or link' })
  await code.fill(`https://elsewhere.example/j/${meeting.svcMeetId}`)
  await clickWhereSeen(guest.page.getByRole('button', { name: 'Join', exact: true }))
  await guest.page.getByText('This link belongs to elsewhere.example.').waitFor()
  await code.fill(`${story.app.config.baseUrl}/j/${meeting.svcMeetId}#pin=${meeting.pin}`)
  await clickWhereSeen(guest.page.getByRole('button', { name: 'Join', exact: true }))
  await guest.page.getByRole('textbox', { name: 'Your name' }).waitFor()
  assert.ok(!guest.page.url().includes(meeting.pin), 'the PIN does not stay in the address')
})

test('N and / work in the list, are listed with the other shortcuts, and can be switched off with them', async () => {
  await story.startMeeting(alice, {}, { topic: 'Something to search for' })
  const { page } = await story.openPage({ person: alice })
  await page.goto('/meetings')
  await page.getByRole('searchbox').waitFor()
  await page.keyboard.press('/')
  assert.ok(await page.getByRole('searchbox').evaluate((field) => field === document.activeElement))
  await page.keyboard.type('n')
  assert.equal(await page.getByRole('searchbox').inputValue(), 'n')
  assert.equal(new URL(page.url()).pathname, '/meetings')

  await page.goto('/meetings')
  await page.getByRole('searchbox').waitFor()
  await page.keyboard.press('Shift+?')
  const shortcuts = page.getByRole('dialog')
  await shortcuts.getByRole('row', { name: 'n Schedule a meeting' }).waitFor()
  await shortcuts.getByRole('row', { name: '/ Search meetings and people' }).waitFor()
  await shortcuts.getByRole('switch').click({ force: true })
  await page.keyboard.press('Escape')
  await shortcuts.waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  await page.keyboard.press('n')
  assert.notEqual(await focusedName(page), 'Search meetings and people')
  assert.equal(new URL(page.url()).pathname, '/meetings')

  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await isInSight(page.getByRole('button', { name: 'More ways to start' }))
  await page.getByRole('searchbox').waitFor()
  await page.keyboard.press('n')
  await page.waitForURL('/meetings/new')

  // The same shortcut, although / is typed with Shift on a German keyboard.
  await page.goto('/meetings')
  await page.getByRole('searchbox').waitFor()
  await page.evaluate(() =>
    document.documentElement.dispatchEvent(
      new KeyboardEvent('keydown', { key: '/', code: 'Digit7', shiftKey: true, bubbles: true, cancelable: true }),
    ),
  )
  assert.ok(await page.getByRole('searchbox').evaluate((field) => field === document.activeElement))
})

test('the search offers each action once, and starts a meeting from any page', async () => {
  const { page } = await story.openPage({ person: alice })
  await page.goto('/meetings')
  await page.getByRole('searchbox').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('option', { name: 'Schedule a meeting' }).waitFor()
  assert.equal(await page.getByRole('dialog').getByRole('option', { name: 'Schedule a meeting' }).count(), 1)
  await page.keyboard.press('Escape')
  await page.goto('/settings/profile')
  await page.getByRole('heading', { name: 'Settings: Profile', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Search meetings, people, pages and actions').waitFor()
  await page.keyboard.type('start a meet')
  await page.getByRole('option', { name: 'Start a meeting now', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Alice’s meeting' }).waitFor()
})
