import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPath, type Person, signUp, standUp, weekdays } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import type { TestApp } from '../../apps/server/test/start-app.ts'
import { checkPage } from '../check-page.ts'
import { clickWhereSeen } from '../real-input.ts'
import { startStory } from '../start-story.ts'
import { between, cancelQuietly, dayMs, hourMs, minuteMs, scheduleQuietly } from './meetings.ts'

async function meetPeople(app: TestApp) {
  await signUp(app, 'Olga')
  return { alice: await signUp(app, 'Alice'), bob: await signUp(app, 'Bob') }
}

/** Alice's week. */
async function fillCalendar(alice: Person, bob: Person) {
  const next = await scheduleQuietly(
    alice,
    standUp({
      topic: 'Budget 2031',
      description: 'Bring the figures of the third quarter.\n\nWe decide about the new office.',
      ...between(25 * minuteMs, 55 * minuteMs),
      participants: [bob.email, 'guest@elsewhere.example'],
      cohosts: [bob.email],
      repeatOptions: { repeat: 'none', timeZone: 'IST' },
    }),
  )
  const series = await scheduleQuietly(
    alice,
    standUp({
      topic: 'Stand-up',
      ...between(dayMs, dayMs + 15 * minuteMs),
      repeatOptions: { repeat: 'daily', timeZone: 'Asia/Kolkata' },
    }),
  )
  await scheduleQuietly(
    bob,
    standUp({ topic: 'Bob’s review', ...between(2 * dayMs, 2 * dayMs + hourMs), participants: [alice.email] }),
  )
  const gone = await scheduleQuietly(alice, standUp({ topic: 'Called off', ...between(3 * dayMs, 3 * dayMs + hourMs) }))
  await cancelQuietly(alice, gone)
  await scheduleQuietly(alice, standUp({ topic: 'Last week', ...between(-7 * dayMs, -7 * dayMs + hourMs) }))
  return { next, series }
}

test('Alice sees what is next, and finds meetings by word, by person, by role, and in other lists', async () => {
  const { app, openPage } = await startStory()
  const { alice, bob } = await meetPeople(app)
  const { next } = await fillCalendar(alice, bob)
  const { page } = await openPage({ person: alice, permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto('/meetings')
  const rows = page.getByRole('main').getByRole('listitem')
  const budget = rows.filter({ hasText: 'Budget 2031' })
  await budget.getByText(/Starts in 2[345] minutes/).waitFor()
  // The budget, Bob's review, and a page of stand-ups, which repeat without an end.
  assert.ok((await rows.filter({ hasText: 'Stand-up' }).count()) >= 20)
  await rows.filter({ hasText: 'Stand-up' }).first().getByText('Daily · Host').waitFor()
  await checkPage(page, 'meetings')

  const search = page.getByRole('searchbox', { name: 'Search meetings and people' })
  await search.fill('review')
  await page.waitForURL('/meetings?q=review')
  await rows.filter({ hasText: 'Stand-up' }).first().waitFor({ state: 'detached' })
  await rows.getByRole('link', { name: 'Bob’s review' }).waitFor()
  await page.getByText('1 result').waitFor()
  await page.getByLabel('Your role').selectOption('I am the host')
  await page.getByRole('heading', { name: 'No matching meetings' }).waitFor()
  await checkPage(page, 'meetings-no-match')
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await rows.filter({ hasText: 'Stand-up' }).first().waitFor()
  await search.fill('guest@elsewhere')
  await page.getByText('1 result').waitFor()
  await budget.waitFor()

  // What is in another list is named with it.
  await search.fill('last week')
  await clickWhereSeen(page.getByRole('button', { name: '1 in Past' }))
  await page.waitForURL('/meetings?q=last+week&when=past')
  await rows.getByRole('link', { name: 'Last week' }).waitFor()
  await search.fill('')
  await page.getByRole('tab', { name: 'Past' }).press('ArrowRight')
  await rows.getByRole('link', { name: 'Called off' }).waitFor()
  await checkPage(page, 'meetings-cancelled')
  await page.getByRole('tab', { name: 'Past' }).click()
  await rows.getByRole('link', { name: 'Last week' }).click()
  await page.getByRole('heading', { name: 'Last week', level: 1 }).waitFor()
  // What is over is not cancelled, and no one is invited to it.
  await page.getByRole('button', { name: 'QR code' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Copy invitation' }).count(), 0)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor()
  assert.equal(await page.getByRole('menuitem', { name: 'Cancel…' }).count(), 0)
  await page.keyboard.press('Escape')
  await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor({ state: 'detached' })
  await page.goBack()
  await page.waitForURL('/meetings?when=past')
  await page.getByRole('tab', { name: 'Past', selected: true }).waitFor()

  // The actions of a row are reached by keyboard, and by the pointer over it.
  await page.goto('/meetings')
  const menu = page.getByRole('button', { name: 'More about Budget 2031' })
  await menu.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Copy the link' }).waitFor()
  await checkPage(page, 'meetings-row-menu')
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'More about Budget 2031')
  await clickWhereSeen(page.getByRole('button', { name: 'Copy the link to Budget 2031' }))
  await page.waitForFunction(() => navigator.clipboard.readText().then((text) => text !== ''))
  const copied = new URL(await page.evaluate(() => navigator.clipboard.readText()))
  assert.equal(copied.pathname + copied.hash, `/j/${next.svcMeetId}#pin=${next.pin}`)
})

test('Alice answers an invitation in the list, takes her answer back, and answers again', async () => {
  const { app, openPage } = await startStory()
  const { alice, bob } = await meetPeople(app)
  const everyDay = { repeatOptions: { repeat: 'daily', timeZone: 'UTC' }, participants: [alice.email] }
  const series = await scheduleQuietly(bob, standUp({ topic: 'Retro', ...between(dayMs, dayMs + hourMs), ...everyDay }))
  await scheduleQuietly(
    bob,
    standUp({ topic: 'Review', ...between(2 * dayMs, 2 * dayMs + hourMs), participants: [alice.email] }),
  )
  const answered = async () => {
    const [{ participants }] = (await bob.send('GET', `/api/meeting/meetingDetails/${series._id}`)).body
    return participants[0].response
  }
  const { page } = await openPage({ person: alice, viewport: { width: 390, height: 844 }, hasTouch: true })
  await page.goto('/meetings')
  await page.getByRole('listitem').first().getByText('Your answer: No answer').waitFor()
  await page.getByRole('tab', { name: /^Invitations\s*2$/ }).click()
  const rows = page.getByRole('listitem')
  await rows.filter({ hasText: 'Retro' }).getByText('Daily').waitFor()
  assert.equal(await rows.count(), 2, 'a series is answered once')
  await checkPage(page, 'meetings-invitations')
  const toRetro = page.getByRole('group', { name: 'Your answer to Retro' })
  await clickWhereSeen(toRetro.getByRole('button', { name: 'No' }))
  await page.getByText('You said no to “Retro”.').waitFor()
  await clickWhereSeen(page.getByRole('button', { name: 'Undo' }))
  await toRetro.getByRole('button', { name: 'No', pressed: false }).waitFor()
  assert.equal(await answered(), undefined)
  await clickWhereSeen(toRetro.getByRole('button', { name: 'Yes' }))
  await page.getByText('You said yes to “Retro”.').waitFor()
  // It is sent when it can no longer be taken back, and leaves the list then.
  await rows.filter({ hasText: 'Retro' }).waitFor({ state: 'detached' })
  assert.equal(await answered(), 'accepted')
  await page.getByRole('tab', { name: /^Invitations\s*1$/ }).waitFor()
})

test('a long list is read page by page, by the button and by scrolling', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  for (let meeting = 1; meeting <= 70; meeting++)
    await scheduleQuietly(
      alice,
      standUp({ topic: `Meeting ${meeting}`, ...between(meeting * hourMs, meeting * hourMs + minuteMs) }),
    )
  const { page } = await openPage({ person: alice })
  await page.goto('/meetings')
  await page.getByRole('link', { name: 'Meeting 30', exact: true }).waitFor()
  assert.equal(await page.getByRole('main').getByRole('listitem').count(), 30)
  await page.getByRole('button', { name: 'Show more' }).press('Enter')
  await page.getByRole('link', { name: 'Meeting 60', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Meeting 60', exact: true }).scrollIntoViewIfNeeded()
  await page.getByRole('link', { name: 'Meeting 70', exact: true }).waitFor()
  assert.equal(await page.getByRole('main').getByRole('listitem').count(), 70)
  assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)
})

test('the page of a meeting shows its time in both zones, the invitation, the participants, and the fields of hosts', async () => {
  const { app, openPage } = await startStory()
  const { alice, bob } = await meetPeople(app)
  const { next, series } = await fillCalendar(alice, bob)
  const { page, context } = await openPage({ person: alice, permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(`/meetings/${next._id}`)
  await page.getByRole('heading', { name: 'Budget 2031', level: 1 }).waitFor()
  await page.getByText(/in the zone of the meeting \(India Standard Time\)/).waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Link' }).inputValue(), next.meetingUrl)
  assert.match(await page.getByRole('textbox', { name: 'Meeting ID' }).inputValue(), /^\d{3} \d{3} \d{4}$/)
  await page.getByText('guest@elsewhere.example').waitFor()
  await checkPage(page, 'meeting')

  assert.equal(await page.getByRole('textbox', { name: 'Host key' }).count(), 0)
  await page.getByRole('button', { name: 'Show: Only for hosts' }).click()
  await page.getByRole('textbox', { name: 'Host key' }).waitFor()
  await page.getByRole('button', { name: 'Copy invitation' }).click()
  const text = await page.evaluate(() => navigator.clipboard.readText())
  for (const part of ['Alice Test invites you', 'Topic: Budget 2031', `Join: ${next.meetingUrl}`, `PIN: ${next.pin}`])
    assert.ok(text.includes(part), `${part} in ${text}`)

  await page.getByRole('button', { name: 'QR code' }).click()
  await page.getByRole('img', { name: 'QR code that leads to Budget 2031' }).waitFor()
  await checkPage(page, 'meeting-qr')
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.activeElement?.textContent === 'QR code')
  await page.getByRole('button', { name: 'Add to your calendar' }).click()
  const google = await page.getByRole('menuitem', { name: 'Google' }).getAttribute('href')
  assert.ok(google?.startsWith('https://calendar.google.com/'))
  assert.ok(!google?.includes(next.pin), 'the PIN is not told to others')

  await page.goto(`/meetings/${series._id}`)
  await page.getByRole('heading', { name: 'Next dates' }).waitFor()
  await page.getByText(/^Every day/).waitFor()
  await page.getByRole('button', { name: 'Show more' }).waitFor()
  await checkPage(page, 'meeting-series')
  await context.close()

  const bobs = await openPage({ person: bob })
  await bobs.page.goto(`/meetings/${series._id}`)
  await bobs.page.getByText('Hosted by Alice Test').waitFor()
  assert.equal(await bobs.page.getByRole('heading', { name: 'Only for hosts' }).count(), 0)
  assert.equal(await bobs.page.getByRole('link', { name: 'Edit' }).count(), 0)
})

test('a series that begins years ahead shows its next dates, and the one that was cancelled', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  const series = await scheduleQuietly(alice, weekdays({ topic: 'Founding week' }))
  const { page } = await openPage({ person: alice })
  await page.goto(`/meetings/${series._id}`)
  const dates = page.getByRole('region', { name: 'Next dates' })
  await dates.getByText(/\b7 Jan\w* 2030/).waitFor()
  assert.equal(await dates.getByRole('listitem').count(), 5)
  await dates.getByRole('button', { name: 'Show more' }).click()
  await dates.getByText(/\b25 Jan\w* 2030/).waitFor()
  assert.equal(await dates.getByRole('listitem').count(), 15)
  assert.equal(await dates.getByRole('button', { name: 'Show more' }).count(), 0)

  const cancel = { cancel: 'current', occurrence: '2030-01-08T09:00:00Z' }
  await expectOk(alice.send('POST', `${cancelPath(series)}?sendUpdates=none`, cancel))
  await page.reload()
  await dates.getByRole('listitem').nth(1).getByText('Cancelled').waitFor()
  await dates.getByRole('button', { name: /^Restore \w+, 8 Jan 2030/ }).waitFor()
})

test('a meeting that does not exist or that she may not see is not found', async () => {
  const { app, openPage } = await startStory()
  const { alice, bob } = await meetPeople(app)
  const made = await scheduleQuietly(bob, standUp({ participants: [] }))
  const { page } = await openPage({ person: alice, expected: /status of 404/ })
  await page.goto(`/meetings/${made._id}`)
  await page.getByRole('heading', { name: 'This meeting can’t be shown' }).waitFor()
  await page.getByText('There is no such meeting, or you don’t have access to it.').waitFor()
  await checkPage(page, 'meeting-missing')
})
