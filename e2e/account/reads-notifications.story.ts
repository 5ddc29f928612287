import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailsPath, meetPeople, standUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { checkPage } from '../check-page.ts'
import { between, dayMs, hourMs, scheduleQuietly } from '../meetings/meetings.ts'
import { chooseLanguage } from '../person-menu.ts'
import { clickWhereSeen } from '../real-input.ts'
import { startStory } from '../start-story.ts'

test('Alice sees in the bell who answered, opens the meeting from there, and switches a kind off', async () => {
  const { app, openPage } = await startStory()
  const { alice, bob, carol } = await meetPeople(app)
  const { page } = await openPage({ person: alice })
  // A list below the panel has small targets, of which the panel leaves a part.
  await page.goto('/settings/profile')
  await clickWhereSeen(page.getByRole('button', { name: 'Notifications', exact: true }))
  const panel = page.getByRole('dialog', { name: 'Notifications' })
  await panel.getByText('Nothing new').waitFor()
  await checkPage(page, 'notifications-none')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })

  const times = between(dayMs, dayMs + hourMs)
  const participants = [bob.email, carol.email]
  const meeting = await scheduleQuietly(alice, standUp({ ...times, topic: 'Budget', participants }))
  const answer = (person: typeof bob, response: string) =>
    expectOk(person.send('POST', `${detailsPath(meeting)}/response`, { response }))
  await answer(bob, 'tentative')
  await answer(carol, 'declined')
  await app.publishEvents()
  // The stream of the page tells, without a reload.
  const bell = page.getByRole('button', { name: 'Notifications: 2 unread' })
  await bell.waitFor()
  await bell.focus()
  await page.keyboard.press('Enter')
  await panel.getByText('Carol Test declined “Budget”').waitFor()
  await checkPage(page, 'notifications')
  await clickWhereSeen(panel.getByRole('link', { name: /Bob Test may come to “Budget”/ }))
  await page.waitForURL(`**/meetings/${meeting._id}`)
  await clickWhereSeen(page.getByRole('button', { name: 'Notifications: 1 unread' }))
  await clickWhereSeen(panel.getByRole('button', { name: 'Mark all as read' }))
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  await page.keyboard.press('Escape')

  const guest = await openPage({ person: bob, viewport: { width: 390, height: 844 } })
  await guest.page.goto('/settings/notifications')
  await clickWhereSeen(guest.page.getByRole('button', { name: 'Notifications: 1 unread' }))
  await guest.page.getByRole('link', { name: /Alice Test invited you to “Budget”/ }).waitFor()
  await checkPage(guest.page, 'notifications-phone')
  await guest.page.keyboard.press('Escape')
  await clickWhereSeen(guest.page.getByRole('switch', { name: 'Changes and cancellations' }))
  await guest.page.getByText('Saved: Changes and cancellations.').waitFor()
  await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ ...times, topic: 'Budget 2', participants })))
  await app.publishEvents()
  const { notifications } = await expectOk(bob.send('GET', '/api/user/notifications'))
  assert.deepEqual(
    notifications.map(({ kind }: { kind: string }) => kind),
    ['invited'],
  )
  await chooseLanguage(guest.page, 'ar')
  await clickWhereSeen(guest.page.getByRole('button', { name: 'الإشعارات: 1 غير مقروء' }))
  await checkPage(guest.page, 'notifications-ar')
  await app.mails()
})
