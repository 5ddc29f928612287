import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameKeys } from '@parley/rules/oauth-apps/look-alike-names'
import {
  appPath,
  approvedApp,
  calendarApp,
  decide,
  done,
  meetDevelopers,
  refused,
  reviewPath,
  submit,
} from '../../test/oauth/apps.ts'
import { type Person, password, sendRequest, signUp, violationsOf } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp({ emails: 'dropped', environment: { RATE_LIMITS: 'off' } })
const { olga, rita, dan, eve } = await meetDevelopers(app)
await approvedApp(dan, rita, { name: 'Calendly Sync' })

const register = (person: Person, name: string) => person.send('POST', '/api/oauth2/apps', calendarApp({ name }))
const rename = (person: Person, name: string, lname = 'Test') => person.send('PUT', '/api/my_profile', { name, lname })

/** As stored before a rule that refuses the name. */
const nameBefore = ({ _id }: { _id: string }, name: string) =>
  app.database
    .updateTable('appRevision')
    .set({ name, nameKeys: nameKeys(name) })
    .where('appId', '=', _id)
    .execute()

const hidden = {
  'U+202B with U+200F between reversed letters':
    '\u202bc\u200fn\u200fy\u200fS\u200f \u200fy\u200fl\u200fd\u200fn\u200fe\u200fl\u200fa\u200fC',
  'U+2067 with U+200F between reversed letters':
    '\u2067c\u200fn\u200fy\u200fS\u200f \u200fy\u200fl\u200fd\u200fn\u200fe\u200fl\u200fa\u200fC',
  'a zero width space': 'Calendly\u200b Sync',
  'an empty Braille pattern': 'Calendly\u2800Sync',
  'a Hangul filler': 'Calendly\u3164Sync',
}
for (const [what, name] of Object.entries(hidden)) {
  test(`refuses an app’s name with ${what}, submitted or only saved`, async () => {
    assert.deepEqual(violationsOf(await register(eve, name)), ['/name hidden'])
    const saved = await eve.send('POST', '/api/oauth2/apps', calendarApp({ name, draft: true }))
    assert.deepEqual([saved.status, violationsOf(saved)], [422, ['/name hidden']])
  })
}

test('refuses letters of two scripts in a word, and accepts a word of each', async () => {
  assert.deepEqual(violationsOf(await register(eve, 'Саlendar')), ['/name mixed_scripts'])
  assert.deepEqual(violationsOf(await register(eve, 'Ϲalendly Notes')), ['/name mixed_scripts'])
  assert.deepEqual(violationsOf(await register(eve, '𐌀𐌁𐌂𐌃')), ['/name misleading'])
  await done(register(eve, 'Планер Calendar'), 201)
})

test('refuses a name in another script that reads as a known one, and notes one that reads as ours', async () => {
  await approvedApp(dan, rita, { name: 'POLAR' })
  for (const name of ['ᴘᴏʟᴀʀ', 'ꓑꓳꓡꓮꓣ', 'ᏢᎾᏞᎪᎡ', 'polar']) {
    await refused(register(eve, name), 409, 'app_name_taken')
  }
  const noted = async (name: string) => {
    const { checks } = await done(register(eve, name), 201)
    return checks.find(({ check }: { check: string }) => check === 'look_alike_name').message
  }
  for (const name of ['ᴘᴀʀʟᴇʏ Helper', 'ꓑꓮꓣꓡꓰꓬ Notes']) {
    assert.equal(await noted(name), 'The name says that the app is official, verified, or Parley’s own.')
  }
})

test('finds a capital that looks like another letter than its small one, in either case', async () => {
  await approvedApp(dan, rita, { name: 'Hello Nina' })
  // Greek capitals Eta, Epsilon, Omicron, Nu, Iota and Alpha.
  await refused(register(eve, 'ΗΕLLΟ ΝΙΝΑ'.replace('LL', 'ꓡꓡ')), 422, 'invalid_app')
  await refused(register(eve, 'HELLO ΝΙΝΑ'), 409, 'app_name_taken')
})

test('accepts any name of a person without hidden or direction-changing characters', async () => {
  const mallory = await signUp(app, 'Mallory')
  for (const name of ['\u202byrollaM', 'Mal\u200blory', 'Mal\u2067lory', 'Mal\u3164lory']) {
    assert.deepEqual(violationsOf(await rename(mallory, name)), ['/name hidden'])
    assert.deepEqual(violationsOf(await rename(mallory, 'Mallory', name)), ['/lname hidden'])
    const sent = { email: 'mal2@example.org', password, name, lname: '' }
    assert.deepEqual(violationsOf(await sendRequest(app, 'POST', '/api/auth/sign-up', sent)), ['/name hidden'])
  }
  for (const name of ['Мария-Anna', 'می\u200cخواهم', 'Sam ❤️', 'Mаllory']) await done(rename(mallory, name))
})

test('requires an app-like name of an app’s submitter, because people read it beside the app’s', async () => {
  const before = await submit(eve, { name: 'Honestly mine' })
  await done(rename(eve, 'Раrlеу'))
  const answer = await register(eve, 'Another of mine')
  assert.equal(answer.status, 422)
  assert.deepEqual(violationsOf(answer), ['/owner mixed_scripts'])
  assert.match(answer.body.detail, /^owner is your own name, .* Change it in your profile\./)
  await refused(eve.send('PUT', appPath(before), calendarApp({ name: 'Honestly hers' })), 422, 'invalid_app')
  // The submitted revision keeps its name.
  assert.deepEqual((await done(rita.send('GET', reviewPath(before)))).app.shownOwner.name, 'Eve Test')
  await done(rename(eve, 'Eve'))
  await done(eve.send('PUT', appPath(before), calendarApp({ name: 'Honestly hers' })))
})

test('keeps a name that changes during the page checks as it was checked', async () => {
  let onCheck = async () => {}
  const slow = await startApp({
    emails: 'dropped',
    checkPages: async () => {
      await onCheck()
      return { checks: [] }
    },
  })
  const people = await meetDevelopers(slow)
  onCheck = async () => void (await done(rename(people.dan, 'Раrlеу')))
  const registered = await submit(people.dan)
  assert.equal(registered.shownOwner.name, 'Dan Test')
  assert.equal((await done(people.rita.send('GET', reviewPath(registered)))).app.shownOwner.name, 'Dan Test')
})

test('an app with such an earlier name stays usable, can give up rights, and is marked for the reviewer', async () => {
  const old = await approvedApp(dan, rita, { name: 'To be made old' })
  const name = '\u202bOld\u200f name'
  await nameBefore(old, name)
  const fewer = calendarApp({ name, scopes: ['user:read'] })
  const changed = await done(dan.send('PUT', appPath(old), fewer))
  assert.deepEqual([changed.status, changed.name, changed.scopes], ['approved', name, ['user:read']])
  const marks = async () => {
    const { checks } = await done(rita.send('GET', reviewPath(old)))
    return checks
      .filter(({ check }: { check: string }) => check === 'name_characters')
      .map(({ field, result }: Record<string, string>) => `${field} ${result}`)
  }
  assert.deepEqual(await marks(), ['name failed'])
  // It may be resubmitted under that name, and its reviewer sees the mark; another such name is refused.
  await done(dan.send('PUT', appPath(old), { ...fewer, description: 'Changed' }))
  assert.deepEqual(await marks(), ['name failed'])
  assert.deepEqual(violationsOf(await dan.send('PUT', appPath(old), { ...fewer, name: 'Old\u200b name' })), [
    '/name hidden',
  ])
  await done(dan.send('PUT', appPath(old), { ...fewer, name: 'Old name' }))
  assert.deepEqual(await marks(), [])
  await done(decide(rita, old, 'approved'))
  assert.deepEqual(await marks(), [])
})

test('refuses to submit a draft that was saved under such a name', async () => {
  const saved = await done(eve.send('POST', '/api/oauth2/apps', calendarApp({ name: 'Only saved', draft: true })), 201)
  await nameBefore(saved, 'On\u200bly saved')
  const answer = await eve.send('POST', appPath(saved, '/submit'))
  assert.deepEqual([answer.status, violationsOf(answer)], [422, ['/name hidden']])
})

test('marks an owner’s earlier name on a live page for the reviewer', async () => {
  const old = await approvedApp(dan, rita, { name: 'Of an old name' })
  await app.database
    .updateTable('appRevision')
    .set({ ownerName: '\u202etseT naD' })
    .where('appId', '=', old._id)
    .execute()
  const { checks } = await done(rita.send('GET', reviewPath(old)))
  assert.deepEqual(checks.map(({ check, field, result }: Record<string, string>) => [check, field, result]).slice(-1), [
    ['name_characters', 'owner', 'failed'],
  ])
})

test('accepts one of two similar names that are requested at the same time', async () => {
  const answers = await Promise.all([register(eve, 'Twinned'), register(dan, 'TWINNED'), register(olga, 'ᴛᴡɪɴɴᴇᴅ')])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409])
})
