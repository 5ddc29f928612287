import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Person } from '../../test/people.ts'
import { useApp } from '../../test/use-app.ts'
import { guestToken } from './guest-links.ts'

const { app, meet } = await useApp({ environment: { RATE_LIMITS: 'off' }, emails: 'dropped' })

const linkOf = ({ profile, email }: Person) => {
  const token = guestToken(app.encryption, 'answer digest link', { subjectId: profile._id, addressKey: email })
  return `/digest/${profile._id}/${token}`
}
const look = (path: string, headers: Record<string, string> = {}) => fetch(`${app.base}${path}`, { headers })
const press = (path: string, body = '') =>
  fetch(`${app.base}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  })
const isOn = async (person: Person) => (await person.send('GET', '/api/my_profile')).body.answerDigest
const switchOn = (person: Person) => person.send('PUT', '/api/my_profile', { answerDigest: true })

test('opening the link changes nothing; its button switches the digest off, and on again', async () => {
  const [alice] = await meet('Alice')
  await switchOn(alice)
  const link = linkOf(alice)
  const page = await look(link)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /Stop sending the daily summary of answers to .*alice\.\d+@example\.org/)
  assert.equal(await isOn(alice), true)
  const stopped = await press(link)
  assert.equal(stopped.status, 200, 'mail programs follow no redirect')
  assert.match(await stopped.text(), /won’t get the daily summary/)
  assert.equal(await isOn(alice), false)
  assert.equal((await press(`${link}/resume`)).status, 200)
  assert.equal(await isOn(alice), true)
  assert.equal((await alice.send('GET', '/api/my_profile')).body.videoPreview, true, 'other settings stay')
})

test('takes the one-click request of a mail program (RFC 8058)', async () => {
  const [alice] = await meet('Alice')
  await switchOn(alice)
  assert.equal((await press(linkOf(alice), 'List-Unsubscribe=One-Click')).status, 200)
  assert.equal(await isOn(alice), false)
})

test('a link is of one account, and of nothing else', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  await switchOn(alice)
  await switchOn(bob)
  const link = linkOf(alice)
  const wrong = [
    link.replace(alice.profile._id, bob.profile._id),
    link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    '/digest/x/y',
    `/digest/${alice.profile._id}/%00`,
    link.replace('/digest/', '/reminders/'),
  ]
  for (const path of wrong) {
    assert.equal((await look(path)).status, 404, path)
    assert.equal((await press(path)).status, 404, path)
  }
  assert.deepEqual([await isOn(alice), await isOn(bob)], [true, true])
  assert.equal((await fetch(`${app.base}${link}`, { method: 'PUT' })).status, 405)
})

test('shows the page in the language of the host', async () => {
  const [alice] = await meet('Alice')
  await alice.send('PUT', '/api/my_profile', { language: 'ar' })
  assert.match(await (await look(linkOf(alice))).text(), /<html lang="ar" dir="rtl">/)
  assert.match(await (await look('/digest/x/y', { 'accept-language': 'hi' })).text(), /<html lang="hi">/)
})
