import type { OpenedPage } from '../start-story.ts'

/** Go through the playground of an app until it has tokens for the person who is signed in. @returns the app's secret */
export async function connectInPlayground(
  { page, context }: Pick<OpenedPage, 'page' | 'context'>,
  app: { _id: string },
  { without }: { without?: RegExp } = {},
) {
  await page.goto(`/developers/${app._id}/playground`)
  await page.getByRole('button', { name: 'Make one for a day' }).click()
  await page.getByText('Made and filled in.').waitFor()
  const secret = await page.getByLabel('Sandbox secret').inputValue()

  if (without !== undefined) await page.getByRole('checkbox', { name: without }).uncheck()
  await page.getByRole('button', { name: 'Build the request' }).click()
  await page.getByText('code_challenge_method').waitFor()
  const opening = context.waitForEvent('page')
  await page.getByRole('button', { name: 'Open the consent page' }).click()
  const consent = await opening
  await consent.getByRole('heading', { name: 'Allow Acme Calendar to use your account?' }).waitFor()
  await consent.getByRole('heading', { name: 'This app is being tested' }).waitFor()
  await consent.getByRole('button', { name: 'Allow' }).click()

  await page.getByText('The state is ours').waitFor()
  await page.getByText('The issuer (iss) is the one that we asked.').waitFor()
  await page.getByRole('button', { name: 'Exchange the code' }).click()
  await page.getByText('Answer: 200').waitFor()
  return secret
}
