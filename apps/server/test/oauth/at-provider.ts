import assert from 'node:assert/strict'
import { publicAddress, type TestApp } from '../start-app.ts'
import type { OpenIdProvider, ProviderPerson } from './openid-provider.ts'
import { createPlainBrowser } from './plain-browser.ts'

export const providerSignInPath = '/api/auth/provider-sign-in'

/** Go to the provider and back, up to the address to which the provider redirects the browser. */
export async function goToProvider(
  on: TestApp,
  from: OpenIdProvider,
  person: ProviderPerson | undefined,
  path = providerSignInPath,
) {
  const browser = createPlainBrowser(on)
  from.person = person
  let at = await browser.get(path)
  const cookies = new Map<string, string>()
  for (let step = 0; at.location !== undefined && !at.location.startsWith(publicAddress); step++) {
    assert.ok(step < 8, at.location)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const address = new URL(at.location, from.environment.OIDC_ISSUER)
    const response = await fetch(address, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const { status, headers } = response
    at = { status, headers, text: await response.text(), location: headers.get('location') ?? undefined }
  }
  return { browser, visit: at, callback: at.location ?? '' }
}

/** Complete the sign-in at the provider, back to a page of Parley. */
export async function signInWithProvider(
  on: TestApp,
  from: OpenIdProvider,
  person: ProviderPerson | undefined,
  path = providerSignInPath,
) {
  const { browser, callback } = await goToProvider(on, from, person, path)
  const visit = await browser.get(callback)
  return { browser, visit, token: browser.cookies.get('parley_session') }
}
