import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { detailsPath, meetPeople, password } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { cameraSentBy, perceives, watchPeers } from '../media/perception.ts'
import { chooseInPersonMenu } from '../person-menu.ts'
import { linkOf, startRoomStory } from './start-room-story.ts'

const story = await startRoomStory()
const { alice, bob, carol } = await meetPeople(story.app)

const isInLobby = (page: Page, button = 'Join now') => page.getByRole('button', { name: button }).waitFor()
const join = (page: Page) => page.getByRole('button', { name: 'Join now' }).click()
const isInside = (page: Page) => page.getByRole('button', { name: 'Leave' }).waitFor()
/** Assert that no secret is in the address or in the window's history. */
async function hidesSecrets(page: Page, ...secrets: string[]) {
  const debug = await page.context().newCDPSession(page)
  const { entries } = await debug.send('Page.getNavigationHistory')
  await debug.detach()
  for (const { url } of entries) {
    for (const secret of secrets) assert.ok(!url.includes(secret), url)
  }
  assert.equal(new URL(page.url()).hash, '')
}

test('a guest reloads in the lobby and in the call, goes back and forward, and returns to the same state', async () => {
  const meeting = await story.startMeeting(alice)
  const { page: host } = await story.openMeeting(meeting, alice)
  await join(host)
  const { page, context } = await story.openPage()
  await watchPeers(context)
  await page.goto('/sign-in')
  await page.goto(linkOf(meeting))
  await isInLobby(page)
  await page.getByRole('button', { name: 'Stop video' }).click()
  await page.reload()
  await isInLobby(page)
  await hidesSecrets(page, meeting.pin)
  await page.getByRole('button', { name: 'Start video' }).click()

  await page.getByRole('textbox', { name: 'Your name' }).fill('Gwen')
  await join(page)
  await isInside(page)
  await perceives(host, { pictures: 1, voices: 1 })
  await page.getByRole('button', { name: 'Mute' }).click()
  await page.getByRole('button', { name: 'Unmute' }).waitFor()
  await page.reload()
  await isInLobby(page)
  await page.getByRole('button', { name: 'Unmute' }).click()
  assert.equal(await page.getByRole('textbox', { name: 'Your name' }).inputValue(), 'Gwen')
  await hidesSecrets(page, meeting.pin)
  await join(page)
  await perceives(host, { pictures: 1, voices: 1 })
  assert.equal((await cameraSentBy(page)).layers, 3)

  await page.goBack()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goForward()
  await isInLobby(page)
  await hidesSecrets(page, meeting.pin)
  await join(page)
  await perceives(host, { pictures: 1, voices: 1 })
  await host.getByRole('button', { name: /^People/ }).click()
  assert.equal(
    await host
      .getByRole('list', { name: /^In the meeting/ })
      .getByText('Gwen')
      .count(),
    1,
  )
})

test('the host and an invited person open the link of their calendar, which has no PIN, and reload', async () => {
  const meeting = await story.startMeeting(alice, {}, { participants: [bob.email] })
  const address = `/j/${meeting.svcMeetId}`
  const { page: hosts } = await story.openPage({ person: alice })
  await hosts.goto(address)
  await isInLobby(hosts)
  await hosts.getByText('You’re joining as Alice Test, the host.').waitFor()
  await hosts.reload()
  await join(hosts)
  await isInside(hosts)
  await hosts.reload()
  await join(hosts)
  await isInside(hosts)
  // The host joined without the PIN, and can share it nevertheless.
  await hosts.getByRole('button', { name: 'Invite' }).click()
  await hosts.getByRole('textbox', { name: 'PIN' }).waitFor()
  assert.equal(await hosts.getByRole('textbox', { name: 'PIN' }).inputValue(), meeting.pin)

  const { page: bobs } = await story.openPage()
  await bobs.goto(address)
  await bobs.getByRole('heading', { name: 'Enter the PIN' }).waitFor()
  await checkPage(bobs, 'join-pin-or-sign-in')
  await bobs.getByRole('link', { name: 'Host or invited? Sign in to join without a PIN' }).click()
  await bobs.getByLabel('Email address').fill(bob.email)
  await bobs.getByLabel(/^Password/).fill(password)
  await bobs.getByRole('button', { name: 'Sign in', exact: true }).click()
  await isInLobby(bobs)
  assert.equal(new URL(bobs.url()).pathname, address)
  await bobs.reload()
  await isInLobby(bobs)
})

test('a typed PIN survives a reload, a wrong one is not sent again, and signing out deletes it', async () => {
  const meeting = await story.startMeeting(alice)
  const address = `/j/${meeting.svcMeetId}`
  const { page } = await story.openPage({ person: carol })
  await page.goto(address)
  await page.getByRole('textbox', { name: 'PIN' }).fill('wrong2')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Wrong PIN' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Enter the PIN' }).waitFor()
  await page.getByRole('textbox', { name: 'PIN' }).fill(meeting.pin)
  await page.getByRole('button', { name: 'Continue' }).click()
  await isInLobby(page)
  await page.reload()
  await isInLobby(page)
  await hidesSecrets(page, meeting.pin)
  await page.goto('/meetings')
  await chooseInPersonMenu(page, 'Sign out')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goto(address)
  await page.getByRole('heading', { name: 'Enter the PIN' }).waitFor()
})

test('a guest who stopped waiting does not wait after a reload, and one who waits continues to, and is admitted', async () => {
  const meeting = await story.startMeeting(alice, { waitingRoom: true })
  const { page: host } = await story.openMeeting(meeting, alice)
  await join(host)
  const { page } = await story.openMeeting(meeting, 'Gwen')
  await page.getByRole('button', { name: 'Ask to join' }).click()
  await page.getByRole('button', { name: 'Stop waiting' }).click()
  await isInLobby(page, 'Ask to join')
  await page.reload()
  await isInLobby(page, 'Ask to join')
  assert.equal(await page.getByRole('heading', { name: 'You’re in the waiting room' }).count(), 0)
  await page.getByRole('button', { name: 'Ask to join' }).click()
  await page.getByRole('heading', { name: 'You’re in the waiting room' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'You’re in the waiting room' }).waitFor()
  await host.getByRole('button', { name: /^People/ }).click()
  await host.getByRole('button', { name: 'Admit Gwen' }).click()
  await isInside(page)
  await page.reload()
  await isInLobby(page)
})

test('the link with the host key keeps the host role after a reload, and the key is in no address', async () => {
  const meeting = await story.startMeeting(alice)
  const [{ roomUrl, roomKey }] = (await alice.send('GET', detailsPath(meeting))).body
  const { page } = await story.openPage()
  await page.goto(roomUrl)
  await isInLobby(page)
  await page.reload()
  await isInLobby(page)
  await page.getByText('You’re joining as the host.').waitFor()
  await hidesSecrets(page, roomKey)
})

test('the host enters with the host PIN while strangers have paused the PIN', async () => {
  const meeting = await story.startMeeting(alice)
  const [{ vpin }] = (await alice.send('GET', detailsPath(meeting))).body
  const { page } = await story.openPage()
  await page.goto(`/j/${meeting.svcMeetId}`)
  for (let tries = 0; tries < 6; tries++) {
    await page.getByRole('textbox', { name: 'PIN' }).fill(`wrong${tries}`)
    const answered = page.waitForResponse(/\/enter$/)
    await page.getByRole('button', { name: 'Continue' }).click()
    await answered
  }
  await page.getByRole('heading', { name: 'Too many wrong PINs' }).waitFor()
  await page.getByRole('button', { name: 'Join with the host PIN' }).click()
  await checkPage(page, 'join-host-pin')
  await page.getByRole('textbox', { name: 'PIN', exact: true }).fill(meeting.pin)
  await page.getByRole('textbox', { name: 'Host PIN' }).fill(vpin)
  await page.getByRole('button', { name: 'Join as the host' }).click()
  await isInLobby(page)
})
