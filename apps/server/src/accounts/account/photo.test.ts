import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { maxPhotoBytes } from '@parley/contract'
import { detailsPath, type Person, password, schedule, sendRequest, signUp, standUp } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { useApp } from '../../../test/use-app.ts'

const path = '/api/my_profile/photo'
const { app, clock, meet } = await useApp()

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length)
  head.write(type, 4, 'latin1')
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(data, crc32(Buffer.from(type))))
  return Buffer.concat([head, data, check])
}

/** A white PNG. `notes`: further chunks, such as one of Exif. */
function png(width: number, height: number, ...notes: Buffer[]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width, 255)])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...notes,
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const set = (person: Person, bytes: Buffer) => person.send('PUT', path, { image: bytes.toString('base64') })
const fetchPhoto = (filePath: string, headers: Record<string, string> = {}) =>
  fetch(`${app.base}${filePath}`, { headers })

test('a photo is set, replaced and removed, and each has an address that no one can guess', async () => {
  const [alice] = await meet('Alice')
  clock.advance(60_000)
  const first = (await expectOk(set(alice, png(8, 8)))).imageMeta
  assert.match(first.filePath, /^\/people\/photos\/[\w-]{22}$/)
  assert.equal(first.path, `${first.baseurl}${first.filePath}`)
  assert.equal(first.mOn, clock.now().toISOString())
  assert.deepEqual((await expectOk(alice.send('GET', '/api/my_profile'))).imageMeta, first)
  assert.equal((await expectOk(alice.send('GET', '/api/user/profile'))).picture, first.path)

  const second = (await expectOk(set(alice, png(9, 9)))).imageMeta
  assert.notEqual(second.filePath, first.filePath)
  assert.equal((await fetchPhoto(first.filePath)).status, 404)
  assert.equal((await fetchPhoto(second.filePath)).status, 200)

  const removed = await expectOk(alice.send('DELETE', path))
  assert.deepEqual(removed.imageMeta, alice.profile.imageMeta)
  assert.equal((await fetchPhoto(second.filePath)).status, 404)
  assert.deepEqual((await expectOk(alice.send('DELETE', path))).imageMeta, alice.profile.imageMeta)
})

test('a photo is served to anyone as an image and nothing else, without the place where it was taken', async () => {
  const [bob] = await meet('Bob')
  const noted = png(8, 8, chunk('eXIf', Buffer.from('N 51.5 W 0.12')))
  const { filePath } = (await expectOk(set(bob, noted))).imageMeta
  const reply = await fetchPhoto(filePath)
  assert.deepEqual(Buffer.from(await reply.arrayBuffer()), png(8, 8))
  const header = (name: string) => reply.headers.get(name)
  assert.equal(header('content-type'), 'image/png')
  assert.equal(header('content-security-policy'), "default-src 'none'; sandbox")
  assert.equal(header('cache-control'), 'private, max-age=86400')
  assert.equal((await fetchPhoto(filePath, { 'if-none-match': header('etag') ?? '' })).status, 304)
  for (const id of ['', 'a', '../../etc', 'A'.repeat(22)])
    assert.equal((await fetchPhoto(`/people/photos/${id}`)).status, 404)
})

test('only a square image of the usual formats is taken, up to the limits', async () => {
  const [carol] = await meet('Carol')
  const refused = (bytes: Buffer) => expectProblem(set(carol, bytes), 'invalid_request', ['/image bad_image'])
  await refused(png(8, 9))
  await refused(png(1025, 1025))
  await refused(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  await refused(Buffer.alloc(0))
  await refused(Buffer.concat([png(8, 8), Buffer.alloc(maxPhotoBytes + 1 - png(8, 8).length)]))
  await expectProblem(carol.send('PUT', path, {}), 'invalid_request')
  await expectProblem(sendRequest(app, 'PUT', path, { image: png(8, 8).toString('base64') }), 'unauthorized')
  await expectOk(set(carol, png(1024, 1024)))
})

test('those who meet a person are told the address of the photo, and others are not', async () => {
  const [dora, eli, stranger] = await meet('Dora', 'Eli', 'Stan')
  const { imageMeta } = await expectOk(set(eli, png(8, 8)))
  const hosts = (await expectOk(set(dora, png(7, 7)))).imageMeta
  const meeting = await schedule(dora, standUp({ participants: [eli.email] }))
  const listed = (await expectOk(eli.send('GET', '/api/meeting/me'))).meetingDetails.find(
    ({ _id }: { _id: string }) => _id === meeting._id,
  )
  assert.deepEqual(listed.participants[0].imageMeta, imageMeta)
  assert.deepEqual(listed.hostInfo.imageMeta, hosts)
  const [read] = await expectOk(dora.send('GET', detailsPath(meeting)))
  assert.equal(read.participants[0].photoUrl, imageMeta.filePath)
  assert.equal(read.hostInfo.photoUrl, hosts.filePath)
  const { dates } = await expectOk(dora.send('GET', '/api/meeting/agenda'))
  assert.deepEqual(dates[0].photoUrls, [hosts.filePath, imageMeta.filePath])
  const { people } = await expectOk(dora.send('GET', '/api/people?q=eli'))
  assert.deepEqual(people[0].imageMeta, imageMeta)
  assert.deepEqual((await expectOk(stranger.send('GET', '/api/people?q=eli'))).people, [])
  await expectProblem(stranger.send('GET', detailsPath(meeting)), 'meeting_not_found')
  await app.mails()
})

test('an export has the photo, and that of a deleted account is gone at once', async () => {
  const frank = await signUp(app, 'Frank')
  const headers = { authorization: `Bearer ${frank.token}` }
  const own = async () =>
    (await (await fetch(`${app.base}/api/my_profile/export?format=json`, { headers })).json()).photo
  assert.equal(await own(), null)
  const { filePath } = (await expectOk(set(frank, png(8, 8)))).imageMeta
  assert.deepEqual(await own(), { mediaType: 'image/png', image: png(8, 8).toString('base64') })
  await expectOk(frank.send('POST', '/api/my_profile/delete', { currentPassword: password }))
  assert.equal((await fetchPhoto(filePath)).status, 404)
  await app.mails()
})
