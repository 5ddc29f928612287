import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { googleReply, type ReplyFields } from '../../apps/server/test/meetings/calendar-replies.ts'
import { calendarTo, replyFieldsOf } from '../../apps/server/test/meetings/reply-mailbox.ts'
import { detailsPath, schedule, signUp, standUp } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { clickWhereSeen } from '../real-input.ts'
import { startStory } from '../start-story.ts'

const series = standUp({
  startTime: '2030-01-07T09:00:00Z',
  endTime: '2030-01-07T09:30:00Z',
  repeatOptions: { repeat: 'daily', timeZone: 'Europe/London' },
})
const dateOf = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Next dates' }).getByRole('listitem').filter({ hasText: text })

test('Bob declines one date of a series and proposes another time for it; Alice sees who comes, and moves the date to that time', async () => {
  const { app, openPage } = await startStory({ REPLY_ADDRESS: 'rsvp@meet.example.org', RATE_LIMITS: 'off' })
  const alice = await signUp(app, 'Alice')
  const bob = await signUp(app, 'Bob')
  const meeting = await schedule(alice, { ...series, participants: [bob.email, 'dan@elsewhere.example'] })
  const replyFields = replyFieldsOf(calendarTo(bob.email, await app.mails()), bob.email)

  const { page } = await openPage({ person: bob })
  await page.goto(`/meetings/${meeting._id}`)
  const tuesday = dateOf(page, '8 Jan 2030')
  const buttons = tuesday.getByRole('group', { name: /^Are you coming on Tue,? 8 Jan 2030/ })
  await buttons.scrollIntoViewIfNeeded()
  await clickWhereSeen(buttons.getByRole('button', { name: 'No', exact: true }))
  await buttons.getByRole('button', { name: 'No', exact: true, pressed: true }).waitFor()
  const all = page.getByRole('region', { name: 'Are you coming?' })
  await page.evaluate(() => window.scrollTo(0, 0))
  await clickWhereSeen(all.getByRole('button', { name: 'Yes', exact: true }))
  await all.getByText('You said yes.').waitFor()
  await page.reload()
  await buttons.getByRole('button', { name: 'No', exact: true, pressed: true }).waitFor()
  const wednesday = dateOf(page, '9 Jan 2030')
  assert.deepEqual(await wednesday.getByRole('button', { pressed: true }).allInnerTexts(), ['Yes'])
  assert.equal(await page.getByText('answered for this date').count(), 0, 'guests see no counts')
  await checkPage(page, 'dates-answered')

  const stamp = `${new Date().toISOString().replaceAll(/[-:]|\..*/g, '')}Z`
  const mail = (changes: Partial<ReplyFields>) =>
    app.receiveMail({
      content: Buffer.from(googleReply({ ...replyFields, stamp, ...changes })),
      recipients: [],
      isBounce: false,
    })
  const remark = 'COMMENT:At the dentist until eleven. <b>Sorry!</b>'
  const proposed = {
    method: 'COUNTER',
    partstat: 'DECLINED',
    start: 'DTSTART:20300108T140000Z',
    lines: ['RECURRENCE-ID:20300108T090000Z', remark],
  }
  assert.equal(await mail(proposed), 'proposed')
  const other = { method: 'COUNTER', partstat: 'NEEDS-ACTION', start: 'DTSTART:20300107T110000Z' }
  assert.equal(await mail(other), 'proposed')
  const wish = { partstat: 'DECLINED', lines: ['RECURRENCE-ID:20300109T090000Z', remark] }
  assert.equal(await mail(wish), 'recorded')

  const { page: host } = await openPage({ person: alice })
  await host.goto(`/meetings/${meeting._id}`)
  await dateOf(host, '7 Jan 2030').getByText('1 yes, 1 has not answered').waitFor()
  const hostsWednesday = dateOf(host, '9 Jan 2030')
  await hostsWednesday.getByText('1 no, 1 has not answered').waitFor()
  await hostsWednesday.getByText('1 answered for this date').click()
  await hostsWednesday.getByText('Bob Test: No').waitFor()
  await hostsWednesday.getByText('At the dentist until eleven. <b>Sorry!</b>').waitFor()
  const proposals = host.getByRole('region', { name: 'Proposed times' })
  await proposals.getByText(/^Bob Test proposes this in place of Tue,? 8 Jan 2030/).waitFor()
  assert.equal(await proposals.getByRole('listitem').count(), 2)
  await checkPage(host, 'times-proposed')

  await proposals.getByRole('button', { name: /^Dismiss the time Mon,? 7 Jan 2030/ }).click()
  await proposals.getByText('7 Jan 2030').first().waitFor({ state: 'detached' })
  await proposals.getByRole('button', { name: /^Use this time: Tue,? 8 Jan 2030/ }).click()
  const dialog = host.getByRole('dialog')
  await dialog.getByLabel(/^Start/).waitFor()
  assert.equal(await dialog.getByLabel(/^Start/).inputValue(), '14:00')
  assert.equal(await dialog.getByLabel(/^Date/).inputValue(), 'Tue, 8 Jan 2030')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await dialog.waitFor({ state: 'detached' })
  await proposals.waitFor({ state: 'detached' })
  const moved = dateOf(host, '8 Jan 2030')
  await moved.getByText('14:00–14:30').waitFor()
  assert.equal(await moved.getByText(/answered/).count(), 0, 'both are asked again')
  assert.ok((await app.mails()).length > 0, 'the guests are mailed')
  const { body } = await alice.send('GET', `${detailsPath(meeting)}/occurrences?from=2030-01-07T00:00:00Z&limit=2`)
  assert.equal(body.occurrences[1].startTime, '2030-01-08T14:00:00.000Z')
})

test('the time that Bob proposes for a single meeting is in the form when Alice uses it', async () => {
  const { app, openPage } = await startStory({ REPLY_ADDRESS: 'rsvp@meet.example.org', RATE_LIMITS: 'off' })
  const alice = await signUp(app, 'Alice')
  const bob = await signUp(app, 'Bob')
  const meeting = await schedule(alice, standUp({ participants: [bob.email] }))
  const replyFields = replyFieldsOf(calendarTo(bob.email, await app.mails()), bob.email)
  const stamp = `${new Date().toISOString().replaceAll(/[-:]|\..*/g, '')}Z`
  const counter = { ...replyFields, stamp, method: 'COUNTER', partstat: 'TENTATIVE', start: 'DTSTART:20300108T140000Z' }
  const lines = ['DTEND:20300108T150000Z', 'COMMENT:After lunch?']
  const content = Buffer.from(googleReply({ ...counter, lines }))
  assert.equal(await app.receiveMail({ content, recipients: [], isBounce: false }), 'proposed')

  const { page } = await openPage({ person: alice })
  await page.goto(`/meetings/${meeting._id}`)
  const proposals = page.getByRole('region', { name: 'Proposed times' })
  await proposals.getByText('After lunch?').waitFor()
  await proposals.getByRole('link', { name: /^Use this time: Tue,? 8 Jan 2030/ }).click()
  await page.getByRole('button', { name: 'Save changes' }).waitFor()
  assert.equal(await page.getByLabel(/^Start/).inputValue(), '14:00')
  assert.equal(await page.getByLabel(/^Date/).inputValue(), 'Tue, 8 Jan 2030')
  await checkPage(page, 'proposed-time-in-form')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.waitForURL(`**/meetings/${meeting._id}`)
  await proposals.waitFor({ state: 'detached' })
  const { body } = await alice.send('GET', detailsPath(meeting))
  assert.deepEqual([body[0].startTime, body[0].endTime], ['2030-01-08T14:00:00.000Z', '2030-01-08T15:00:00.000Z'])
  assert.ok((await app.mails()).length > 0)
})
