import assert from 'node:assert/strict'
import { test } from 'node:test'
import { password, signUp, standUp } from '../../apps/server/test/people.ts'
import type { TestApp } from '../../apps/server/test/start-app.ts'
import { checkPage } from '../check-page.ts'
import { between, cancelQuietly, hourMs, minuteMs, scheduleQuietly } from '../meetings/meetings.ts'
import { startStory } from '../start-story.ts'

const soon = () => between(5 * minuteMs, 35 * minuteMs)
const linkOf = ({ svcMeetId, pin }: { svcMeetId: string; pin: string }) => `/j/${svcMeetId}#pin=${pin}`

async function meetPeople(app: TestApp) {
  await signUp(app, 'Olga')
  return { alice: await signUp(app, 'Alice'), bob: await signUp(app, 'Bob'), carol: await signUp(app, 'Carol') }
}

test('a guest opens the link: the PIN leaves the address, and the page shows host and time of the meeting', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  const made = await scheduleQuietly(alice, standUp({ topic: 'Budget 2031', ...soon() }))
  const { page } = await openPage()
  await page.goto(linkOf(made))
  await page.getByRole('button', { name: 'Join now' }).waitFor()
  await page.getByRole('heading', { name: 'Budget 2031', level: 1 }).waitFor()
  await page.getByText('Hosted by Alice Test').waitFor()
  await page.getByText(/^Starts in \d minutes?$/).waitFor()
  assert.equal(new URL(page.url()).hash, '')
  await checkPage(page, 'join-admitted')
})

test('a wrong PIN is refused, the right one is accepted with spaces and capitals, and too many wrong ones cause a pause', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  const made = await scheduleQuietly(alice, standUp({ ...soon() }))
  const { page } = await openPage()
  await page.goto(`/j/${made.svcMeetId}`)
  await page.getByRole('heading', { name: 'Enter the PIN' }).waitFor()
  assert.equal(await page.getByText('Stand-up').count(), 0)
  await checkPage(page, 'join-pin')
  await page.getByRole('textbox', { name: 'PIN' }).fill('wrong2')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Wrong PIN' }).waitFor()
  await checkPage(page, 'join-pin-wrong')
  // The link, opened in the same window, takes precedence over the typed PIN.
  await page.goto(linkOf(made))
  await page.getByRole('button', { name: 'Join now' }).waitFor()
  const { page: typing } = await openPage()
  await typing.goto(`/j/${made.svcMeetId}`)
  await typing.getByRole('textbox', { name: 'PIN' }).fill(` ${made.pin.toUpperCase().slice(0, 3)} ${made.pin.slice(3)}`)
  await typing.getByRole('button', { name: 'Continue' }).click()
  await typing.getByRole('button', { name: 'Join now' }).waitFor()

  const other = await scheduleQuietly(alice, standUp({ ...soon() }))
  await page.goto(`/j/${other.svcMeetId}`)
  for (let tries = 0; tries < 5; tries++) {
    await page.getByRole('textbox', { name: 'PIN' }).fill(`wrong${tries}`)
    const answered = page.waitForResponse(/\/enter$/)
    await page.getByRole('button', { name: 'Continue' }).click()
    await answered
  }
  await page.getByRole('textbox', { name: 'PIN' }).fill(other.pin)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Too many wrong PINs' }).waitFor()
  await checkPage(page, 'join-slow-down')
})

test('the page explains each state: too early with a countdown, cancelled, waiting for the host, no such meeting', async () => {
  const { app, openPage } = await startStory()
  const { alice, bob } = await meetPeople(app)
  const { page } = await openPage({ person: bob })
  const early = await scheduleQuietly(
    alice,
    standUp({ ...between(hourMs, 2 * hourMs), repeatOptions: { repeat: 'none', timeZone: 'IST' } }),
  )
  await page.goto(linkOf(early))
  await page.getByRole('heading', { name: 'The meeting isn’t open yet' }).waitFor()
  await page.getByText(/^Opens in 4\d minutes$/).waitFor()
  await page.getByText(/in the meeting’s time zone \(India Standard Time\)/).waitFor()
  await checkPage(page, 'join-too-early')

  const gone = await scheduleQuietly(alice, standUp({ ...soon() }))
  await cancelQuietly(alice, gone)
  await page.goto(linkOf(gone))
  await page.getByRole('heading', { name: 'This meeting was cancelled' }).waitFor()
  await page.getByText('Ask the host if there’s a new date.').waitFor()
  await checkPage(page, 'join-cancelled')

  const hosted = await scheduleQuietly(alice, standUp({ ...soon(), advancedOptions: { joinBeforeHost: false } }))
  await page.goto(linkOf(hosted))
  await page.getByRole('button', { name: 'Join when the host arrives' }).waitFor()
  await checkPage(page, 'join-waiting-for-host')

  await page.goto('/j/8999999999#pin=abcdef')
  await page.getByRole('heading', { name: 'Meeting not found' }).waitFor()
  await checkPage(page, 'join-not-found')
  // A mistyped meeting ID is corrected where it is refused.
  const code = page.getByRole('textbox', { name: 'Meeting ID or link' })
  assert.equal(await code.inputValue(), '899 999 9999')
  // A second wrong one has the same words, and is announced all the same.
  await code.fill('8999999998')
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('899 999 9998').waitFor()
  await code.fill(hosted.svcMeetId)
  await page.getByRole('textbox', { name: 'PIN (if you have one)' }).fill(hosted.pin)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Join when the host arrives' }).waitFor()
})

test('the PIN is kept through sign-in, and a person who is not invited reads what to do', async () => {
  const { app, openPage } = await startStory()
  const { alice, bob, carol } = await meetPeople(app)
  const made = await scheduleQuietly(
    alice,
    standUp({ ...soon(), advancedOptions: { loggedInOnly: true, isRestrictedMeeting: true } }),
  )
  const guest = await openPage()
  await guest.page.goto(linkOf(made))
  await guest.page.getByRole('heading', { name: 'Sign in to join' }).waitFor()
  await checkPage(guest.page, 'join-sign-in')
  await guest.page.getByRole('link', { name: 'Sign in' }).click()
  await guest.page.getByLabel('Email address').fill(bob.email)
  await guest.page.getByLabel(/^Password/).fill(password)
  await guest.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await guest.page.getByRole('button', { name: 'Join now' }).waitFor()
  assert.equal(new URL(guest.page.url()).pathname, `/j/${made.svcMeetId}`)
  assert.equal(new URL(guest.page.url()).hash, '')

  const carols = await openPage({ person: carol })
  await carols.page.goto(linkOf(made))
  await carols.page.getByRole('heading', { name: 'You’re not invited' }).waitFor()
  await carols.page.getByRole('link', { name: 'Sign in with another address' }).waitFor()
  await checkPage(carols.page, 'join-not-invited')
})

test('Carol adds a meeting by its link after signing in, finds it on her list, removes it and restores it', async () => {
  const { app, openPage } = await startStory()
  const { alice, carol } = await meetPeople(app)
  const made = await scheduleQuietly(alice, standUp({ topic: 'Course', ...soon() }))
  const { page } = await openPage({ expected: /status of 40[134]/ })
  await page.goto(`/add/${made.svcMeetId}#pin=${made.pin}`)
  await page.getByLabel('Email address').fill(carol.email)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'The meeting is on your list' }).waitFor()
  await page.getByText('Course').waitFor()
  assert.equal(new URL(page.url()).pathname + new URL(page.url()).hash, `/add/${made.svcMeetId}`)
  await checkPage(page, 'add-done')

  await page.getByRole('link', { name: 'Open the meeting' }).click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Remove from my list' }).click()
  await page.getByText('No upcoming meetings').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('listitem').getByRole('link', { name: 'Course', exact: true }).waitFor()

  await page.goto(`/add/${made.svcMeetId}`)
  await page.getByRole('textbox', { name: 'PIN' }).fill('wrong2')
  await page.keyboard.press('Enter')
  await page.getByText('Check the invitation and try again.').waitFor()
  await checkPage(page, 'add-pin-wrong')
})
