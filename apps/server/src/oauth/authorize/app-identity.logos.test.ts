import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp, callbackUrl } from '../../../test/oauth/approved-app.ts'
import { appPath, permit } from '../../../test/oauth/apps.ts'
import { arrive, authorizeUrl } from '../../../test/oauth/consenting-person.ts'
import { createPlainBrowser } from '../../../test/oauth/plain-browser.ts'
import { expectOk } from '../../../test/replies.ts'
import { useApp } from '../../../test/use-app.ts'

const { app, olga, meet } = await useApp({ emails: 'dropped' })
const bytes = Buffer.from('not really a picture')
const get = (path: string) => fetch(`${app.base}${path}`)

/** Meet Alice and Bob, who have apps. */
async function scene() {
  const [alice, bob] = await meet('Alice', 'Bob')
  return { alice, bob }
}

test('serves the logo from our origin, as an image and nothing else', async () => {
  const { alice } = await scene()
  const { appId, clientId } = await approvedApp(app, alice, { logo: { mediaType: 'image/png', bytes } })
  const link = authorizeUrl(app, { client_id: clientId, redirect_uri: callbackUrl, response_type: 'code' })
  const page = await arrive(createPlainBrowser(app), alice, link)
  assert.match(page.text, new RegExp(`<img src="/oauth2/logos/${appId}/1" alt="" `))
  const logo = await get(`/oauth2/logos/${appId}/1`)
  assert.equal(logo.status, 200)
  assert.deepEqual(Buffer.from(await logo.arrayBuffer()), bytes)
  const { headers } = logo
  assert.equal(headers.get('content-type'), 'image/png')
  assert.equal(headers.get('content-disposition'), 'inline')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox")
  assert.equal(headers.get('cache-control'), 'public, max-age=3600')
})

test('shows initials on the page when there is no logo', async () => {
  const { alice } = await scene()
  const { clientId } = await approvedApp(app, alice, { name: 'meeting Planner pro' })
  const link = authorizeUrl(app, { client_id: clientId, redirect_uri: callbackUrl, response_type: 'code' })
  const page = await arrive(createPlainBrowser(app), alice, link)
  assert.match(page.text, /<span class="initials" aria-hidden="true">MP<\/span>/)
  assert.equal(page.text.includes('<img'), false)
})

test('answers 404 for a file that is no logo, or of a type that can hold more than an image', async () => {
  const { alice } = await scene()
  const { appId } = await approvedApp(app, alice, { name: 'Sly', logo: { mediaType: 'image/svg+xml', bytes } })
  for (const path of [`${appId}/1`, `${appId}/2`, `${appId}/x`, `${appId}/99999999999`, 'x/1']) {
    assert.equal((await get(`/oauth2/logos/${path}`)).status, 404, path)
  }
})

test('shows no logo of an app that is suspended or deleted, or whose owner is', async () => {
  const { bob } = await scene()
  const { appId } = await approvedApp(app, bob, { name: 'Stopped', logo: { mediaType: 'image/png', bytes } })
  const status = async () => (await get(`/oauth2/logos/${appId}/1`)).status
  const connected = { _id: appId }
  assert.equal(await status(), 200)
  await expectOk(olga.send('POST', appPath(connected, '/suspend'), {}))
  assert.equal(await status(), 404)
  await expectOk(olga.send('POST', appPath(connected, '/resume')))
  assert.equal(await status(), 200)
  await permit(olga, bob, { oauthEnabled: false })
  assert.equal(await status(), 404)
  await permit(olga, bob, { oauthEnabled: true })
  await expectOk(bob.send('DELETE', appPath(connected)))
  assert.equal(await status(), 404)
})
