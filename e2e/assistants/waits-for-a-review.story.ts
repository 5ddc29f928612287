import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { meetDevelopers } from '../../apps/server/test/oauth/apps.ts'
import { serveDocuments } from '../../apps/server/test/oauth/document-server.ts'
import { checkPage } from '../check-page.ts'
import { clickWhereSeen } from '../real-input.ts'
import { startStory } from '../start-story.ts'
import { startAssistantProgram } from './assistant-program.ts'

/*
 * An assistant that introduces itself by its document (client ID metadata document). A service fetches documents from
 * public addresses only; here one server on this machine stands for the internet, as in the tests of that fetch.
 */

async function click(page: Page, name: string) {
  const button = page.getByRole('button', { name, exact: true })
  await button.waitFor()
  await button.scrollIntoViewIfNeeded()
  await clickWhereSeen(button)
}

async function startStoryWithDocument() {
  const { fetchDocument, publish, host } = await serveDocuments()
  const story = await startStory({}, { fetchDocument })
  const people = await meetDevelopers(story.app)
  const clientMetadataUrl = publish('/assistant.json', { client_name: 'Parlour Assistant', redirect_uris: local })
  return { ...story, ...people, clientMetadataUrl, host }
}

const local = ['http://127.0.0.1/callback']

test('Carol’s assistant is unknown here: her administrator is asked, Rita approves it, and the same program gets through', async () => {
  const { app, openPage, carol, rita, olga, clientMetadataUrl, host } = await startStoryWithDocument()
  const { page } = await openPage({ person: carol, expected: /status of 403/ })
  const program = await startAssistantProgram({
    address: `${app.config.baseUrl}/mcp`,
    client: { clientMetadataUrl },
    page,
  })

  const waiting = program.connect()
  await page.getByRole('heading', { name: 'Your administrator decides about this app' }).waitFor()
  await page.getByText(host, { exact: true }).waitFor()
  await checkPage(page, 'assistant-waits')
  program.giveUp()
  await assert.rejects(waiting, /gave up/)
  assert.equal(program.tokens(), undefined)

  // Trying again changes nothing, and sends no second mail.
  const mails = await app.mails()
  assert.deepEqual(mails.map(({ to }) => to).toSorted(), [olga.email, rita.email].toSorted())
  await page.reload()
  await page.getByRole('heading', { name: 'Your administrator decides about this app' }).waitFor()
  assert.deepEqual(await app.mails(), [])

  const { page: review } = await openPage({ person: rita })
  const link = /http\S+\/reviews\/\S+/.exec(mails.find(({ to }) => to === rita.email)?.text ?? '')?.[0] ?? ''
  await review.goto(link)
  await review.getByRole('heading', { name: 'Parlour Assistant', level: 1 }).waitFor()
  await review.getByText(clientMetadataUrl).first().waitFor()
  await checkPage(review, 'assistant-review')
  await clickWhereSeen(review.getByRole('button', { name: /^Approve/ }))
  await review.getByRole('dialog').waitFor()
  await clickWhereSeen(review.getByRole('dialog').getByRole('button', { name: 'Approve' }))
  await review.getByText('Parlour Assistant is approved.').waitFor()

  const connecting = program.connect()
  await page.getByRole('heading', { name: 'Allow Parlour Assistant to use your account?' }).waitFor()
  await page.getByText(host, { exact: true }).waitFor()
  await page.getByText('You continue to a program that runs on this computer').waitFor()
  await checkPage(page, 'assistant-consent-document')
  await click(page, 'Allow')
  await connecting
  const { sentence } = await program.callOnce('list_meetings')
  assert.equal(sentence, 'No meeting was found.')
  assert.equal(program.opened.at(-1)?.searchParams.get('client_id'), clientMetadataUrl)

  await page.goto('/connected-apps')
  const card = page.getByRole('region', { name: 'Parlour Assistant' })
  await card.getByText(host, { exact: true }).waitFor()
  await checkPage(page, 'assistant-connected')

  // Olga stops it for everyone: its next call fails, and so does the refresh.
  const { page: administration } = await openPage({ person: olga })
  await administration.goto('/meetings')
  await clickWhereSeen(administration.getByRole('link', { name: 'Administration' }))
  await clickWhereSeen(administration.getByRole('link', { name: 'All apps' }))
  await administration.getByRole('cell', { name: `Assistant: ${host}`, exact: true }).waitFor()
  await click(administration, 'Change: Parlour Assistant')
  await clickWhereSeen(administration.getByRole('menuitem', { name: 'Suspend' }))
  const dialog = administration.getByRole('dialog', { name: 'Suspend Parlour Assistant?' })
  // No developer reads it.
  await dialog.getByText('The reason stays in its history.').waitFor()
  await dialog.getByLabel('More about the reason').fill('It is another assistant.')
  await dialog.getByLabel(/^Reason/).selectOption({ label: 'It misleads people' })
  await checkPage(administration, 'assistant-suspend')
  await clickWhereSeen(dialog.getByRole('button', { name: 'Suspend' }))
  const suspended = administration.getByRole('table', { name: 'Suspended apps' })
  await clickWhereSeen(suspended.getByRole('link', { name: 'Parlour Assistant' }))
  await administration.getByText('It misleads people: It is another assistant.').waitFor()
  const before = program.sent.length
  await assert.rejects(program.callOnce('list_meetings'))
  assert.deepEqual(
    program.sent.slice(before).map(({ path, status }) => `${path} ${status}`),
    ['/mcp 401', '/api/oauth2/v2/token 400'],
  )
})
