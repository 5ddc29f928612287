import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Language, languageCodes } from '@parley/texts/languages'
import { assertSample } from '../../test/email-samples.ts'
import { appPath, calendarApp, decide, submit } from '../../test/oauth/apps.ts'
import { useDevelopers } from '../../test/oauth/use-developers.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { composeEmail } from '../accounts/email-links/queue-email.ts'
import { type AppDecision, appDecisionEmail } from './app-emails.ts'

const { olga, developers, mailsTo } = await useDevelopers()

const reasons = [
  { code: 'invalid_url', field: 'callbackUrls', text: 'The second one answers 404.' },
  { code: 'other', text: 'The logo is <ours>.' },
]

test('emails the developer each decision and its reasons', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const submitted = await submit(dan, calendarApp())
  for (const [decision, subject, said] of [
    ['on_hold', 'Your app Acme Calendar is on hold', 'its review is not finished'],
    ['rejected', 'Your app Acme Calendar is rejected', 'did not pass its review'],
  ] as const) {
    await expectOk(decide(rita, submitted, decision, reasons))
    const [mail, ...others] = await mailsTo(dan)
    assert.equal(others.length, 0)
    assert.equal(mail?.subject, subject)
    assert.ok(mail?.text.includes(said))
    assert.match(mail?.text ?? '', /Reason, callbackUrls: An address is wrong: .* The second one answers 404\./)
    assert.match(mail?.text ?? '', /Reason: The logo is <ours>\./)
    assert.ok(mail?.html.includes('&lt;ours&gt;'))
    assert.ok(mail?.text.includes(`http://parley.test/developers/${submitted._id}`))
  }
  await expectOk(dan.send('POST', appPath(submitted, '/submit')))
  await expectOk(decide(rita, submitted, 'approved'))
  const [approved] = await mailsTo(dan)
  assert.equal(approved?.subject, 'Your app Acme Calendar is approved')
  assert.doesNotMatch(approved?.text ?? '', /Reason/)

  await expectOk(olga.send('POST', appPath(submitted, '/suspend'), { reasons: [{ code: 'malicious_url' }] }))
  const [suspended] = await mailsTo(dan)
  assert.equal(suspended?.subject, 'Your app Acme Calendar is suspended')
  assert.match(suspended?.text ?? '', /Reason: An address leads to malware/)
  await expectOk(olga.send('POST', appPath(submitted, '/resume')))
  assert.equal((await mailsTo(dan))[0]?.subject, 'Your app Acme Calendar is back')
})

test('sends no email for a refused decision', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const submitted = await submit(dan, calendarApp({ name: 'Other Calendar' }))
  await expectProblem(decide(dan, submitted, 'approved'), 'reviewer_required')
  await expectProblem(decide(rita, submitted, 'rejected'), 'invalid_request')
  assert.deepEqual(await mailsTo(dan), [])
})

test('emails in the language of the developer’s profile; the reviewer’s text stays as it is', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  await dan.send('PUT', '/api/my_profile', { language: 'de' })
  const submitted = await submit(dan, calendarApp({ name: 'Third Calendar' }))
  await expectOk(decide(rita, submitted, 'rejected', reasons))
  const [mail] = await mailsTo(dan)
  assert.equal(mail?.subject, 'Ihre App Third Calendar ist abgelehnt')
  assert.match(mail?.text ?? '', /Grund, callbackUrls: Eine Adresse stimmt nicht: .* The second one answers 404\./)
  assert.match(mail?.text ?? '', /Grund: The logo is <ours>\./)
  assert.match(mail?.html ?? '', /<html lang="de" dir="ltr">/)
})

const decided = (decision: AppDecision, language: Language) =>
  appDecisionEmail({
    baseUrl: 'https://meet.example.org',
    to: 'dan@example.org',
    language,
    decision,
    appId: '0190a5d2-0000-7000-8000-000000000003',
    name: 'Acme Calendar',
    reasons: decision === 'rejected' ? [{ code: 'invalid_url', field: 'callbackUrls', text: 'It answers 404.' }] : [],
  })
const decisions = ['approved', 'rejected', 'on_hold', 'suspended', 'resumed'] as const

for (const decision of decisions) {
  for (const language of decision === 'rejected' ? languageCodes : (['en'] as const)) {
    test(`docs/mail-samples: app-${decision} in ${language} (UPDATE_SNAPSHOTS=1 writes it)`, async () => {
      const mail = decided(decision, language)
      await assertSample(`app-${decision}.${language}`, { subject: mail.subject, ...composeEmail(mail) })
    })
  }
}

test('each language has every decision in its own words', () => {
  for (const language of languageCodes.filter((one) => one !== 'en')) {
    for (const decision of decisions) {
      const [own, english] = [decided(decision, language), decided(decision, 'en')]
      assert.notEqual(own.subject, english.subject)
      assert.deepEqual(
        own.paragraphs.filter((paragraph, at) => paragraph === english.paragraphs[at]),
        [],
      )
      assert.ok(own.subject.includes('Acme Calendar'))
    }
  }
})
