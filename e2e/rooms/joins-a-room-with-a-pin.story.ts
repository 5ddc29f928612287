import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { detailsPath, meetPeople, signUp } from '../../apps/server/test/people.ts'
import { perceives } from '../media/perception.ts'
import { answersOnEntering, linkOf, startRoomStory } from './start-room-story.ts'

const story = await startRoomStory({ TENANTS: 'acme.example=Acme' })
const { alice, bob, carol } = await meetPeople(story.app)

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()

test('six wrong PINs cause a pause, even for the right one; a person with the link of another meeting is not delayed', async () => {
  const meeting = await story.startMeeting(alice)
  const { page } = await story.openPage()
  await page.goto(`/j/${meeting.svcMeetId}`)
  for (let tries = 0; tries < 6; tries++) {
    await page.getByRole('textbox', { name: 'PIN' }).fill(`wrong${tries}`)
    const answered = page.waitForResponse(/\/enter$/)
    await page.getByRole('button', { name: 'Continue' }).click()
    await answered
  }
  await heading(page, 'Too many wrong PINs')
  await page.goto(linkOf(meeting))
  await heading(page, 'Too many wrong PINs')
  const other = await story.startMeeting(alice)
  await page.goto(linkOf(other))
  await page.getByRole('button', { name: 'Join now' }).waitFor()
})

test('a meeting restricted to invited people, accounts or colleagues admits these people only', async () => {
  const stranger = await signUp(story.app, 'Stranger', 'stranger@acme.example')
  const invited = await story.startMeeting(alice, { isRestrictedMeeting: true }, { participants: [bob.email] })
  const signedIn = await story.startMeeting(alice, { loggedInOnly: true })
  const colleagues = await story.startMeeting(alice, { colleagueOnly: true })
  const { page: carols } = await story.openPage({ person: carol })
  const { page: strangers } = await story.openPage({ person: stranger })
  const { page: guests } = await story.openPage()
  const out: [Page, typeof invited, string][] = [
    [carols, invited, 'You’re not invited'],
    [guests, signedIn, 'Sign in to join'],
    [strangers, colleagues, 'You’re not invited'],
  ]
  for (const [page, meeting, name] of out) {
    await page.goto(linkOf(meeting))
    await heading(page, name)
  }
  for (const [page, meeting] of [
    [carols, signedIn],
    [carols, colleagues],
    [strangers, signedIn],
  ] as const) {
    await page.goto(linkOf(meeting))
    await page.getByRole('button', { name: 'Join now' }).waitFor()
  }
})

test('the log of a call contains neither PIN nor host key nor token', async () => {
  const meeting = await story.startMeeting(alice)
  const [{ roomKey, vpin }] = (await alice.send('GET', detailsPath(meeting))).body
  const { page: host } = await story.openMeeting(meeting, alice)
  await host.getByRole('button', { name: 'Join now' }).click()
  const { page: guest } = await story.openPage()
  const answers = answersOnEntering(guest)
  await guest.goto(`/j/${meeting.svcMeetId}#key=${roomKey}`)
  await guest.getByRole('textbox', { name: 'Your name' }).fill('Gita')
  await guest.getByRole('button', { name: 'Join now' }).click()
  await perceives(host, { pictures: 1, voices: 1 })
  const token = (await answers()).find(({ media }) => media !== undefined)?.media?.token ?? ''
  const signature = token.split('.').at(-1) ?? ''
  assert.ok(signature.length > 40)

  const log = story.app.logged.join('')
  assert.match(log, /api\/rooms\/:svcMeetId\/enter/)
  for (const secret of [meeting.pin, roomKey, vpin, signature]) {
    assert.ok(secret.length > 3)
    assert.equal(log.includes(secret), false)
  }
})
