import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameKeys } from '@parley/rules/oauth-apps/look-alike-names'
import { appPath, approvedApp, calendarApp, decide, meetDevelopers, reviewPath, submit } from '../../test/oauth/apps.ts'
import { useDevelopers } from '../../test/oauth/use-developers.ts'
import { type Person, password, sendRequest } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'

const { app, olga, developers, meet } = await useDevelopers({ emails: 'dropped', environment: { RATE_LIMITS: 'off' } })

let made = 0

/** An app whose name differs from the others in more than one letter. */
const named = (changes: object = {}) => calendarApp({ name: `Planner ${++made} ${'x'.repeat(made)}`, ...changes })

test('submits a rejected app again as it is', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const before = await submit(dan, named())
  await expectOk(decide(rita, before, 'on_hold', [{ code: 'invalid_url', field: 'policyUrl' }]))
  assert.equal((await expectOk(dan.send('POST', appPath(before, '/submit')))).status, 'under_review')
  await expectOk(decide(rita, before, 'approved'))
})

test('keeps an app under review as it is, and refuses one that is live without changes', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const waiting = await submit(dan, named())
  assert.deepEqual(await expectOk(dan.send('POST', appPath(waiting, '/submit'))), waiting)
  await expectOk(decide(rita, waiting, 'approved'))
  await expectProblem(dan.send('POST', appPath(waiting, '/submit')), 'nothing_to_submit')
  await expectOk(olga.send('POST', appPath(waiting, '/suspend'), {}))
  await expectProblem(dan.send('POST', appPath(waiting, '/submit')), 'wrong_app_state')
})

test('submits a live app again after its owner is renamed; people read the old name until then', async () => {
  const [rita, eve] = await developers('Rita', 'Eve')
  const mine = await submit(eve, named())
  await expectOk(decide(rita, mine, 'approved'))
  await expectOk(eve.send('PUT', '/api/my_profile', { lname: 'Renamed' }))
  const submitted = await expectOk(eve.send('POST', appPath(mine, '/submit')))
  assert.deepEqual([submitted.status, submitted.draftStatus], ['approved', 'under_review'])
  const { differences } = await expectOk(rita.send('GET', reviewPath(mine)))
  assert.deepEqual(differences, [{ field: 'owner', before: ['Eve Test'], after: ['Eve Renamed'] }])
})

test('submits a saved app; refuses another developer, and callers without OAuth', async () => {
  const [dan, eve] = await developers('Dan', 'Eve')
  const [carol] = await meet('Carol')
  const saved = await submit(dan, named({ draft: true }))
  await expectProblem(eve.send('POST', appPath(saved, '/submit')), 'app_not_found')
  await expectProblem(dan.send('POST', appPath({ _id: 'nonsense' }, '/submit')), 'app_not_found')
  await expectProblem(carol.send('POST', appPath(saved, '/submit')), 'oauth_not_enabled')
  await expectProblem(sendRequest(app, 'POST', appPath(saved, '/submit')), 'unauthorized')
  assert.equal((await expectOk(dan.send('POST', appPath(saved, '/submit')))).status, 'under_review')
})

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
    const [eve] = await developers('Eve')
    await expectProblem(register(eve, name), 'invalid_app', ['/name hidden'])
    const saving = eve.send('POST', '/api/oauth2/apps', calendarApp({ name, draft: true }))
    await expectProblem(saving, 'invalid_app', ['/name hidden'])
  })
}

test('refuses letters of two scripts in a word, and accepts a word of each', async () => {
  const [eve] = await developers('Eve')
  await expectProblem(register(eve, 'Саlendar'), 'invalid_app', ['/name mixed_scripts'])
  await expectProblem(register(eve, 'Ϲalendly Notes'), 'invalid_app', ['/name mixed_scripts'])
  await expectProblem(register(eve, '𐌀𐌁𐌂𐌃'), 'invalid_app', ['/name misleading'])
  await expectOk(register(eve, 'Планер Calendar'), 201)
})

test('refuses a name in another script that reads as a known one, and notes one that reads as ours', async () => {
  const [rita, dan, eve] = await developers('Rita', 'Dan', 'Eve')
  await approvedApp(dan, rita, { name: 'POLAR' })
  for (const name of ['ᴘᴏʟᴀʀ', 'ꓑꓳꓡꓮꓣ', 'ᏢᎾᏞᎪᎡ', 'polar']) {
    await expectProblem(register(eve, name), 'app_name_taken')
  }
  const noted = async (name: string) => {
    const { checks } = await expectOk(register(eve, name), 201)
    return checks.find(({ check }: { check: string }) => check === 'look_alike_name').message
  }
  for (const name of ['ᴘᴀʀʟᴇʏ Helper', 'ꓑꓮꓣꓡꓰꓬ Notes']) {
    assert.equal(await noted(name), 'The name says that the app is official, verified, or Parley’s own.')
  }
})

test('finds a capital that looks like another letter than its small one, in either case', async () => {
  const [rita, dan, eve] = await developers('Rita', 'Dan', 'Eve')
  await approvedApp(dan, rita, { name: 'Hello Nina' })
  // Greek capitals Eta, Epsilon, Omicron, Nu, Iota and Alpha.
  await expectProblem(register(eve, 'ΗΕLLΟ ΝΙΝΑ'.replace('LL', 'ꓡꓡ')), 'invalid_app')
  await expectProblem(register(eve, 'HELLO ΝΙΝΑ'), 'app_name_taken')
})

test('accepts any name of a person without hidden or direction-changing characters', async () => {
  const [mallory] = await meet('Mallory')
  for (const name of ['\u202byrollaM', 'Mal\u200blory', 'Mal\u2067lory', 'Mal\u3164lory']) {
    await expectProblem(rename(mallory, name), 'invalid_request', ['/name hidden'])
    await expectProblem(rename(mallory, 'Mallory', name), 'invalid_request', ['/lname hidden'])
    const sent = { email: 'mal2@example.org', password, name, lname: '' }
    await expectProblem(sendRequest(app, 'POST', '/api/auth/sign-up', sent), 'invalid_request', ['/name hidden'])
  }
  for (const name of ['Мария-Anna', 'می\u200cخواهم', 'Sam ❤️', 'Mаllory']) await expectOk(rename(mallory, name))
})

test('requires an app-like name of an app’s submitter, because people read it beside the app’s', async () => {
  const [rita, eve] = await developers('Rita', 'Eve')
  const before = await submit(eve, { name: 'Honestly mine' })
  await expectOk(rename(eve, 'Раrlеу'))
  const { detail } = await expectProblem(register(eve, 'Another of mine'), 'invalid_app', ['/owner mixed_scripts'])
  assert.match(detail, /^owner is your own name, .* Change it in your profile\./)
  await expectProblem(eve.send('PUT', appPath(before), calendarApp({ name: 'Honestly hers' })), 'invalid_app')
  // The submitted revision keeps its name.
  assert.deepEqual((await expectOk(rita.send('GET', reviewPath(before)))).app.shownOwner.name, 'Eve Test')
  await expectOk(rename(eve, 'Eve'))
  await expectOk(eve.send('PUT', appPath(before), calendarApp({ name: 'Honestly hers' })))
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
  onCheck = async () => void (await expectOk(rename(people.dan, 'Раrlеу')))
  const registered = await submit(people.dan)
  assert.equal(registered.shownOwner.name, 'Dan Test')
  assert.equal((await expectOk(people.rita.send('GET', reviewPath(registered)))).app.shownOwner.name, 'Dan Test')
})

test('an app with such an earlier name stays usable, can give up rights, and is marked for the reviewer', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const old = await approvedApp(dan, rita, { name: 'To be made old' })
  const name = '\u202bOld\u200f name'
  await nameBefore(old, name)
  const fewer = calendarApp({ name, scopes: ['user:read'] })
  const changed = await expectOk(dan.send('PUT', appPath(old), fewer))
  assert.deepEqual([changed.status, changed.name, changed.scopes], ['approved', name, ['user:read']])
  const marks = async () => {
    const { checks } = await expectOk(rita.send('GET', reviewPath(old)))
    return checks
      .filter(({ check }: { check: string }) => check === 'name_characters')
      .map(({ field, result }: Record<string, string>) => `${field} ${result}`)
  }
  assert.deepEqual(await marks(), ['name failed'])
  // It may be resubmitted under that name, and its reviewer sees the mark; another such name is refused.
  await expectOk(dan.send('PUT', appPath(old), { ...fewer, description: 'Changed' }))
  assert.deepEqual(await marks(), ['name failed'])
  await expectProblem(dan.send('PUT', appPath(old), { ...fewer, name: 'Old\u200b name' }), 'invalid_app', [
    '/name hidden',
  ])
  await expectOk(dan.send('PUT', appPath(old), { ...fewer, name: 'Old name' }))
  assert.deepEqual(await marks(), [])
  await expectOk(decide(rita, old, 'approved'))
  assert.deepEqual(await marks(), [])
})

test('refuses to submit a draft that was saved under such a name', async () => {
  const [eve] = await developers('Eve')
  const saved = await expectOk(
    eve.send('POST', '/api/oauth2/apps', calendarApp({ name: 'Only saved', draft: true })),
    201,
  )
  await nameBefore(saved, 'On\u200bly saved')
  await expectProblem(eve.send('POST', appPath(saved, '/submit')), 'invalid_app', ['/name hidden'])
})

test('marks an owner’s earlier name on a live page for the reviewer', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const old = await approvedApp(dan, rita, { name: 'Of an old name' })
  await app.database
    .updateTable('appRevision')
    .set({ ownerName: '\u202etseT naD' })
    .where('appId', '=', old._id)
    .execute()
  const { checks } = await expectOk(rita.send('GET', reviewPath(old)))
  assert.deepEqual(checks.map(({ check, field, result }: Record<string, string>) => [check, field, result]).slice(-1), [
    ['name_characters', 'owner', 'failed'],
  ])
})

test('accepts one of two similar names that are requested at the same time', async () => {
  const [dan, eve] = await developers('Dan', 'Eve')
  const answers = await Promise.all([register(eve, 'Twinned'), register(dan, 'TWINNED'), register(olga, 'ᴛᴡɪɴɴᴇᴅ')])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409])
})
