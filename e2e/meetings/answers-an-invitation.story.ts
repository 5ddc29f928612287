import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subjectOf } from '../../apps/server/test/mailbox.ts'
import { signUp, standUp } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { clickWhereSeen } from '../real-input.ts'
import { startStory } from '../start-story.ts'
import { between, cancelQuietly, dayMs, hourMs, scheduleQuietly } from './meetings.ts'

test('Bob replies to the invitation of a series and changes his reply; Alice sees the replies, and a cancelled series requests none', async () => {
  const { app, openPage } = await startStory()
  const alice = await signUp(app, 'Alice')
  const bob = await signUp(app, 'Bob')
  const meeting = await scheduleQuietly(
    alice,
    standUp({
      ...between(dayMs, dayMs + hourMs),
      participants: [bob.email, 'dan@elsewhere.example', 'eve@elsewhere.example'],
      repeatOptions: { repeat: 'daily', timeZone: 'Europe/London' },
    }),
  )
  const { page } = await openPage({ person: bob })
  await page.goto(`/meetings/${meeting._id}`)
  const answers = page.getByRole('region', { name: 'Are you coming?' })
  await answers.getByText(/^You have not answered yet. Your answer is for all dates, except/).waitFor()
  await checkPage(page, 'meeting-unanswered')
  await clickWhereSeen(answers.getByRole('button', { name: 'No', exact: true }))
  await answers.getByText('You said no.').waitFor()
  // By keyboard as well.
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await answers.getByText('You said yes.').waitFor()
  await page.reload()
  await answers.getByText('You said yes.').waitFor()
  const pressed = answers.getByRole('button', { pressed: true })
  assert.deepEqual(await pressed.allInnerTexts(), ['Yes'])
  await checkPage(page, 'meeting-answered')

  const { page: host } = await openPage({ person: alice, expected: /status of 429/ })
  await host.goto(`/meetings/${meeting._id}`)
  const people = host.getByRole('region', { name: 'Participants' })
  await people.getByText('1 yes, 2 have not answered').waitFor()
  assert.equal(await host.getByRole('region', { name: 'Are you coming?' }).count(), 0)

  const again = people.getByRole('button', { name: 'Send again to dan@elsewhere.example' })
  await again.scrollIntoViewIfNeeded()
  await clickWhereSeen(again)
  await host.getByText('You have asked for the invitation to be sent to dan@elsewhere.example again.').waitFor()
  const mails = await app.mails()
  assert.deepEqual(
    mails.map((mail) => [mail.to, subjectOf(mail)]),
    [['dan@elsewhere.example', 'Invitation: Stand-up']],
  )
  // Longer than a double click, which would send it once.
  await host.waitForTimeout(1_000)
  await again.click()
  await host.getByText(/^dan@elsewhere.example has had enough mail for now. You can send .* again from /).waitFor()
  await checkPage(host, 'meeting-participants')

  // Dan has had a mail just now, and Eve none: neither is reminded.
  await people.getByRole('button', { name: 'Remind those who have not answered (2)' }).click()
  await host.getByText(/^No one was reminded/).waitFor()

  await cancelQuietly(alice, meeting)
  await page.reload()
  await page.getByText('This meeting is cancelled').waitFor()
  assert.equal(await answers.count(), 0)
})
