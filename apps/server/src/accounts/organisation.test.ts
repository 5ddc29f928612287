import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { maxOrganisationLogoBytes, type OrganisationSettings } from '@parley/contract'
import pg from 'pg'
import { type Answer, schedule, sendRequest, signUp, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { as, enter } from '../../test/rooms/rooms.ts'
import { createClock, startApp, type TestApp } from '../../test/start-app.ts'
import { findBrandOfAddress, findServiceBrand } from './organisation-store.ts'

const path = '/api/admin/organisation'
const logoPath = (ground: string) => `${path}/logos/${ground}`

/** An image of 8 × 6 pixels. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAYAAAD+Bd/7AAAAQElEQVR4AayN0QkAIAhEwx36dajmaIdqh+ZojYZpiUBU/BC/FJ7HHQcHF3FGQO' +
  'Hrpw6BIxItkHNeYmG3twS79AEAAP//xDuGWQAAAAZJREFUAwAUZBgl79iERAAAAABJRU5ErkJggg=='
const lossless = 'UklGRiQAAABXRUJQVlA4TBcAAAAvB0ABEA9wD9ezHb/C43+A4YHhiOh/eAA='

const nothing = {
  name: '',
  colour: null,
  colours: null,
  logos: { light: null, dark: null },
  logosInMail: { light: false, dark: false },
}

/** Start a service with two organisations: Olga's, which runs it, and Wile's. */
async function start() {
  const clock = createClock('2030-01-07T09:00:00Z')
  const app = await startApp({ clock, environment: { TENANTS: 'acme.test=Acme', RATE_LIMITS: 'off' } })
  const olga = await signUp(app, 'Olga')
  const wile = await signUp(app, 'Wile', 'wile@acme.test')
  await expectOk(olga.send('GET', '/api/admin/accounts'))
  await app.pool.query(`update account set administrator = true where email = 'wile@acme.test'`)
  await app.mails()
  return { app, clock, olga, wile }
}

const logoOf = (settings: OrganisationSettings) => settings.logos.light?.url ?? ''
const lookSeenBy = async (person: { send: (method: 'GET', path: string) => Promise<Answer> }) =>
  (await expectOk(person.send('GET', '/api/auth/session'))).organisation
const fetchFrom = (app: TestApp, address: string, headers: Record<string, string> = {}) =>
  fetch(`${app.base}${address}`, { headers })

test('an administrator sets name, colour and logos of the own organisation, and every change is recorded', async () => {
  const { app, olga, wile } = await start()
  assert.deepEqual(await expectOk(olga.send('GET', path)), nothing)
  const named = await expectOk(olga.send('PUT', path, { name: '  Globex & Söhne ', colour: '#FD0' }))
  assert.deepEqual([named.name, named.colour], ['Globex & Söhne', '#ffdd00'])
  assert.equal(named.colours.dark.accent, '#ffdd00')
  assert.notEqual(named.colours.light.accent, '#ffdd00')
  const shown = await expectOk(olga.send('PUT', logoPath('light'), { image: png }))
  assert.match(logoOf(shown), /^\/organisation\/logos\/[\w-]{43}$/)
  assert.deepEqual([shown.logos.light.width, shown.logos.light.height], [8, 6])
  const both = await expectOk(olga.send('PUT', logoPath('dark'), { image: lossless }))
  assert.deepEqual(both.logosInMail, { light: true, dark: false })
  assert.deepEqual(await expectOk(olga.send('GET', path)), both)
  // What stays as it is leaves no trace.
  await expectOk(olga.send('PUT', path, { name: 'Globex & Söhne' }))
  await expectOk(olga.send('PUT', logoPath('light'), { image: png }))
  await expectOk(olga.send('PUT', path, {}))

  assert.deepEqual(await expectOk(wile.send('GET', path)), nothing)
  const { entries } = await expectOk(olga.send('GET', '/api/admin/audit-log'))
  const changes = entries.filter(({ action }: { action: string }) => action.startsWith('organisation'))
  assert.deepEqual(
    changes.map(({ action }: { action: string }) => action),
    ['organisation-logo.changed', 'organisation-logo.changed', 'organisation.changed'],
  )
  assert.deepEqual(changes[2].detail, {
    name: { before: '', after: 'Globex & Söhne' },
    colour: { before: '', after: '#ffdd00' },
  })
  assert.equal(JSON.stringify(await expectOk(wile.send('GET', '/api/admin/audit-log'))).includes('Globex'), false)
  await app.mails()
})

test('names and colours that are none are refused', async () => {
  const { app, olga } = await start()
  const bob = await signUp(app, 'Bob')
  await expectProblem(bob.send('PUT', path, { name: 'Bobs' }), 'administrator_required')
  await expectProblem(bob.send('PUT', logoPath('light'), { image: png }), 'administrator_required')
  await expectOk(olga.send('PUT', path, { name: 'ä'.repeat(60) }))
  await expectProblem(olga.send('PUT', path, { name: 'ä'.repeat(61) }), 'invalid_request', ['/name too_long'])
  await expectProblem(olga.send('PUT', path, { name: 'Ac\nme' }), 'invalid_request', ['/name control_character'])
  await expectProblem(olga.send('PUT', path, { colour: 'red;}' }), 'invalid_request', ['/colour bad_colour'])
  await expectOk(olga.send('PUT', path, { name: '', colour: '' }))
  assert.equal(await lookSeenBy(olga), null)
  await app.mails()
})

test('a logo is read as strangers’ images are: its bytes decide, and nothing but the image is kept', async () => {
  const { app, olga } = await start()
  const set = (bytes: Buffer | string) => olga.send('PUT', logoPath('light'), { image: base64(bytes) })
  const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64')
  const bytes = Buffer.from(png, 'base64')
  const shown = await expectOk(set(Buffer.concat([bytes, Buffer.from('<script>secret</script>')])))
  assert.deepEqual(Buffer.from(await (await fetchFrom(app, logoOf(shown))).arrayBuffer()), bytes)

  const bomb = Buffer.from(bytes)
  bomb.writeUInt32BE(60_000, 16)
  const refusals: [Buffer | string, RegExp][] = [
    ['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', /is an SVG, which can hold programs/],
    ['<html>', /is no PNG, JPEG or WebP/],
    ['', /is empty/],
    [bomb, /is damaged|is 60000 × 6 pixels/],
    [Buffer.concat([bytes, Buffer.alloc(maxOrganisationLogoBytes + 1 - bytes.length)]), /has more than 256 KiB/],
  ]
  for (const [image, message] of refusals) {
    const { errors } = await expectProblem(set(image), 'invalid_request')
    assert.match(errors[0].message, message)
  }
  await expectProblem(olga.send('PUT', logoPath('light'), { image: 'not base64!' }), 'invalid_request', [
    '/image bad_image',
  ])
  assert.equal((await expectOk(olga.send('GET', path))).logos.light.url, logoOf(shown))
})

test('a logo is served to anyone as an image and nothing else, for good, until it is replaced or removed', async () => {
  const { app, olga, wile } = await start()
  const address = logoOf(await expectOk(olga.send('PUT', logoPath('light'), { image: png })))
  const { status, headers } = await fetchFrom(app, address)
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'image/png')
  assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox")
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
  const etag = headers.get('etag') ?? ''
  const again = await fetchFrom(app, address, { 'if-none-match': etag })
  assert.deepEqual([again.status, (await again.arrayBuffer()).byteLength], [304, 0])

  // Another organisation with the same image keeps it.
  assert.equal(logoOf(await expectOk(wile.send('PUT', logoPath('light'), { image: png }))), address)
  await expectOk(olga.send('PUT', logoPath('light'), { image: lossless }))
  assert.equal((await fetchFrom(app, address)).status, 200)
  const settings = await expectOk(wile.send('DELETE', logoPath('light')))
  assert.equal(settings.logos.light, null)
  assert.equal((await fetchFrom(app, address)).status, 404)
  await expectOk(wile.send('DELETE', logoPath('light')))
  for (const other of ['/organisation/logos/x', `/organisation/logos/${'a'.repeat(43)}`]) {
    assert.equal((await fetchFrom(app, other)).status, 404, other)
  }
})

test('two administrators at the same time keep each other’s changes', async () => {
  const { olga } = await start()
  await Promise.all([
    olga.send('PUT', path, { name: 'Globex' }),
    olga.send('PUT', path, { colour: '#14655a' }),
    olga.send('PUT', logoPath('light'), { image: png }),
    olga.send('PUT', logoPath('dark'), { image: lossless }),
  ])
  const settings = await expectOk(olga.send('GET', path))
  assert.deepEqual([settings.name, settings.colour], ['Globex', '#14655a'])
  assert.ok(settings.logos.light && settings.logos.dark)
})

test('people see their own organisation, visitors that of the service, and guests of a room the host’s', async () => {
  const { app, olga, wile } = await start()
  const visitor = { send: (_: 'GET', address: string) => sendRequest(app, 'GET', address) }
  await expectOk(wile.send('PUT', path, { name: 'Acme' }))
  assert.equal(await lookSeenBy(visitor), null)
  await expectOk(olga.send('PUT', path, { name: 'Globex', colour: '#14655a' }))
  assert.equal((await lookSeenBy(wile)).name, 'Acme')
  assert.equal((await lookSeenBy(visitor)).name, 'Globex')
  assert.equal((await expectOk(olga.send('GET', '/api/start-page'))).organisation.name, 'Globex')

  const room = await schedule(wile, standUp({ participants: [] }))
  assert.equal((await enter(app, room, {}, { name: 'Guest' })).organisation?.name, 'Acme')
  assert.equal((await enter(app, room, as(olga))).organisation?.name, 'Acme')
  const unsaid = await enter(app, room, {}, { pin: 'wrong1', name: 'Guest' })
  assert.equal('organisation' in unsaid, false)
  await app.mails()
})

test('mails carry the logo and the name of the organisation that they are from', async () => {
  const { app, olga, wile } = await start()
  await expectOk(olga.send('PUT', path, { name: 'Globex', colour: '#a21caf' }))
  await expectOk(olga.send('PUT', logoPath('light'), { image: png }))
  await schedule(olga, standUp({ participants: ['guest@elsewhere.example', 'wile@acme.test'] }))
  await schedule(wile, standUp({ topic: 'Review', participants: ['guest@elsewhere.example'] }))
  const mails = await app.mails()
  const [branded, plain] = ['Stand-up', 'Review'].map((topic) => {
    const mail = mails.find(({ to, subject }) => to === 'guest@elsewhere.example' && subject.includes(topic))
    assert.ok(mail !== undefined, topic)
    return mail
  })
  assert.equal(branded?.fromName, 'Olga Test via Globex')
  assert.match(branded?.html ?? '', /<img class="logo" src="cid:[\w-]{43}@logo" alt="" width="43" height="32"/)
  assert.match(branded?.html ?? '', />Globex<\/span>/)
  assert.match(branded?.html ?? '', /background:#a21caf;color:#ffffff/)
  assert.deepEqual(
    branded?.images?.map(({ mediaType, bytes }) => [mediaType, bytes.toString('base64')]),
    [['image/png', png]],
  )
  // The page behind a link of the mail, whose policy allows the colours by their hash.
  const link = /https?:\S+\/answer\/\S+\/accepted/.exec(branded?.text ?? '')?.[0] ?? ''
  const page = await fetchFrom(app, new URL(link).pathname)
  assert.equal(page.status, 200)
  const markup = await page.text()
  assert.match(
    markup,
    /<header class="brand"><picture><img class="logo on-plate" src="\/organisation\/logos\/[\w-]{43}" /,
  )
  assert.match(markup, /<bdi>Globex<\/bdi>/)
  const [, colours = ''] = /<style>(:root\{--accent:#a21caf;.*?)<\/style>/.exec(markup) ?? []
  const digest = createHash('sha256').update(colours).digest('base64')
  assert.ok(page.headers.get('content-security-policy')?.includes(`'sha256-${digest}'`))
  const manifest = await (await fetchFrom(app, '/manifest.webmanifest')).json()
  assert.equal(manifest.name, 'Globex')
  assert.equal(plain?.fromName, 'Wile Test via Parley')
  assert.match(plain?.html ?? '', />Parley<\/span>/)
  assert.equal(plain?.html.includes('<img'), false)

  await expectOk(olga.send('POST', '/api/admin/invitations', { email: 'nina@elsewhere.example' }), 202)
  const [invitation] = await app.mails()
  assert.equal(invitation?.subject, 'You are invited to Globex')
  assert.equal(invitation?.fromName, 'Globex')
  assert.equal(invitation?.images?.length, 1)
  await expectOk(wile.send('POST', '/api/admin/invitations', { email: 'otto@elsewhere.example' }), 202)
  const [other] = await app.mails()
  assert.deepEqual(
    [other?.subject, other?.fromName, other?.images],
    ['You are invited to Parley', undefined, undefined],
  )
})

test('the brand of the service, and of an address with or without an account, takes one statement', async ({
  mock,
}) => {
  const { app, olga, wile } = await start()
  await expectOk(olga.send('PUT', path, { name: 'Globex' }))
  await expectOk(wile.send('PUT', path, { name: 'Acme' }))
  const queries = mock.method(pg.Client.prototype, 'query')
  const found = []
  for (const address of ['olga@example.org', 'wile@acme.test', 'stranger@acme.test', undefined]) {
    const search = address === undefined ? findServiceBrand(app.database) : findBrandOfAddress(app.database, address)
    const { name } = await search
    found.push([name, queries.mock.callCount()])
    queries.mock.resetCalls()
  }
  assert.deepEqual(found, [
    ['Globex', 1],
    ['Acme', 1],
    ['Globex', 1],
    ['Globex', 1],
  ])
})

test('browsers keep the service under the name and the logo of its organisation, read once until they change', async ({
  mock,
}) => {
  const { app, olga, wile } = await start()
  const readFace = async () => {
    const icon = await fetchFrom(app, '/favicon.svg')
    const svg = await icon.text()
    const manifest = await (await fetchFrom(app, '/manifest.webmanifest')).json()
    return { name: manifest.name, icons: manifest.icons, svg, etag: icon.headers.get('etag') ?? '' }
  }
  /** The notification of a change arrives after its reply. */
  const readUntil = async (isRight: (face: Awaited<ReturnType<typeof readFace>>) => boolean) => {
    for (;;) {
      const face = await readFace()
      if (isRight(face)) return face
      await sleep(20)
    }
  }
  const own = await readFace()
  assert.equal(own.name, 'Parley')
  assert.match(own.svg, /<title>Parley</)
  await expectOk(olga.send('PUT', path, { name: 'Globex' }))
  await expectOk(olga.send('PUT', logoPath('light'), { image: png }))
  const worn = await readUntil(({ svg }) => svg.includes(png))
  assert.equal(worn.name, 'Globex')
  assert.match(worn.icons[0].src, /^\/favicon\.svg\?[\w-]{43}$/)
  assert.equal(worn.icons.length, 1)
  assert.equal((await fetchFrom(app, '/favicon.svg', { 'if-none-match': worn.etag })).status, 304)

  // Another organisation of the service changes nothing here.
  await expectOk(wile.send('PUT', logoPath('light'), { image: lossless }))
  assert.ok((await readFace()).svg.includes(png))
  const queries = mock.method(pg.Client.prototype, 'query')
  await readFace()
  assert.equal(queries.mock.callCount(), 0)
  mock.restoreAll()

  await expectOk(olga.send('DELETE', logoPath('light')))
  const bare = await readUntil(({ svg }) => !svg.includes(png))
  assert.deepEqual([bare.name, bare.svg, bare.icons], ['Globex', own.svg, own.icons])
})

test('a mail whose logo is removed before it is sent goes without', async () => {
  const { app, olga } = await start()
  await expectOk(olga.send('PUT', path, { name: 'Globex' }))
  await expectOk(olga.send('PUT', logoPath('light'), { image: png }))
  await expectOk(olga.send('POST', '/api/admin/invitations', { email: 'nina@elsewhere.example' }), 202)
  await expectOk(olga.send('DELETE', logoPath('light')))
  const [mail] = await app.mails()
  assert.deepEqual(mail?.images, [])
  assert.equal(mail?.html.includes('cid:'), false)
  assert.match(mail?.html ?? '', />Globex<\/span>/)
})
