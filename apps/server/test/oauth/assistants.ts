import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import type { Person } from '../people.ts'
import type { TestApp } from '../start-app.ts'
import { arrive, authorizeUrl } from './consenting-person.ts'
import { createPlainBrowser, type PlainBrowser, type Visit } from './plain-browser.ts'
import { postForm, tokenPath } from './token-client.ts'

/*
 * People who use assistants that no developer has registered: the client_id is the URL of a document.
 */

const verifier = 'a'.repeat(43)
const local = 'http://127.0.0.1:49152/callback'

export const requestOf = (clientId: string, changes: Record<string, string> = {}) => ({
  client_id: clientId,
  redirect_uri: local,
  response_type: 'code',
  scope: 'user:read meeting:read',
  state: 'xyz',
  code_challenge: hash('sha256', verifier, 'base64url'),
  code_challenge_method: 'S256',
  ...changes,
})
export const linkOf = (service: TestApp, clientId: string, changes: Record<string, string> = {}) =>
  authorizeUrl(service, requestOf(clientId, changes))

/** A browser in which a person is signed in. */
export function browserOf(service: TestApp, person: Person): PlainBrowser {
  const browser = createPlainBrowser(service)
  browser.cookies.set('parley_session', person.token)
  return browser
}

/** Open the assistant's link as a signed-in person, and stop at the first page or redirect to it. */
export const open = (service: TestApp, person: Person, clientId: string, changes: Record<string, string> = {}) =>
  arrive(browserOf(service, person), person, linkOf(service, clientId, changes))

export const titleOf = ({ text }: Visit) => /<h1[^>]*>(.*?)<\/h1>/s.exec(text)?.[1]?.replaceAll(/<[^>]+>/g, '') ?? text

export const waits = 'Your administrator decides about this app'

export const appOf = (service: TestApp, clientId: string) =>
  service.database.selectFrom('app').selectAll().where('clientId', '=', clientId).executeTakeFirst()

/** The id of a client's app, for the reviewers' endpoints. */
export async function idOf(service: TestApp, clientId: string): Promise<string> {
  const found = await appOf(service, clientId)
  assert.ok(found !== undefined)
  return found.id
}

export const decide = (reviewer: Person, appId: string, decision: string, reasons: object[] = []) =>
  reviewer.send('POST', `/api/oauth2/reviews/${appId}`, { decision, reasons })

/** Consent with all scopes selected, and exchange the code. */
export async function connect(
  service: TestApp,
  person: Person,
  clientId: string,
  changes: Record<string, string> = {},
) {
  const browser = browserOf(service, person)
  const page = await arrive(browser, person, linkOf(service, clientId, changes))
  assert.equal(page.status, 200, titleOf(page))
  const { location } = await browser.submit(page, { decision: 'allow' })
  const code = new URL(location ?? '').searchParams.get('code') ?? ''
  const redirectUri = changes.redirect_uri ?? local
  const form = { grant_type: 'authorization_code', code, client_id: clientId, redirect_uri: redirectUri }
  return postForm(service, tokenPath, { ...form, code_verifier: verifier })
}
