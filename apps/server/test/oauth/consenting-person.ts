import assert from 'node:assert/strict'
import { type Person, password } from '../people.ts'
import type { TestApp } from '../start-app.ts'
import { createPlainBrowser, type PlainBrowser, type Visit } from './plain-browser.ts'

/** The URL of an authorization request with these parameters, under the service's public address. */
export const authorizeUrl = (app: TestApp, parameters: Record<string, string>): string =>
  `${app.config.baseUrl}/oauth2/authorize?${new URLSearchParams(parameters)}`

/**
 * Open an app's link, sign in when asked to, and stop at the first page after it, or at a redirect to another origin.
 */
export async function arrive(browser: PlainBrowser, person: Pick<Person, 'email'>, address: string): Promise<Visit> {
  const page = await browser.follow(await browser.get(address))
  if (!page.text.includes('action="/oauth2/login"')) return page
  const answer = await browser.submit(page, { email: person.email, password })
  assert.equal(answer.status, 303, answer.text)
  return browser.follow(answer)
}

/**
 * Complete an authorization request as a person: sign in and consent when asked to. Invited testers accept the
 * invitation. Returns the redirect URL, which is never requested. A `browser` keeps its signed-in person signed in.
 */
export async function consent(
  app: TestApp,
  person: Pick<Person, 'email'>,
  address: string,
  decision: 'allow' | 'deny' = 'allow',
  browser: PlainBrowser = createPlainBrowser(app),
): Promise<URL> {
  const arrived = await arrive(browser, person, address)
  const invited = arrived.text.includes('action="/oauth2/tester"')
  const page = invited ? await browser.follow(await browser.submit(arrived, { answer: 'accepted' })) : arrived
  const answer = page.location === undefined ? await browser.submit(page, { decision }) : page
  assert.equal(answer.status, 303, answer.text)
  assert.ok(answer.location !== undefined)
  return new URL(answer.location)
}
