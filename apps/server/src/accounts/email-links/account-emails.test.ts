import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Language, languageCodes } from '@parley/texts/languages'
import { assertSample } from '../../../test/email-samples.ts'
import { password, sendRequest, signUp } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { startApp, tokenIn } from '../../../test/start-app.ts'
import {
  alreadyHaveAccountEmail,
  confirmAddressEmail,
  invitationEmail,
  oauthDeclinedEmail,
  oauthEnabledEmail,
  oauthRequestedEmail,
  passkeyAddedEmail,
  passwordChangedEmail,
  resetPasswordEmail,
  testEmail,
} from './account-emails.ts'
import { composeEmail, type Email } from './queue-email.ts'

const addressed = { baseUrl: 'https://meet.example.org', to: 'bob@example.org', token: 'token0123456789' }
const mails: Record<string, (language: Language) => Email> = {
  'account-confirm-address': (language) => confirmAddressEmail({ ...addressed, language }),
  'account-already-there': (language) => alreadyHaveAccountEmail({ ...addressed, language }),
  'account-reset-password': (language) => resetPasswordEmail({ ...addressed, language }),
  'account-password-changed': (language) => passwordChangedEmail({ ...addressed, language }),
  'account-passkey-added': (language) => passkeyAddedEmail({ ...addressed, language }),
  'account-invitation': (language) =>
    invitationEmail({ ...addressed, language, inviter: 'Olga Orr', tenantId: '', organisation: '' }),
  'oauth-requested': (language) =>
    oauthRequestedEmail({ ...addressed, language, requester: { name: 'Dan Test', email: 'dan@example.org' } }),
  test: (language) => testEmail({ ...addressed, language }),
  'oauth-enabled': (language) => oauthEnabledEmail({ ...addressed, language }),
  'oauth-declined': (language) => oauthDeclinedEmail({ ...addressed, language, reason: 'Tell us more.' }),
}

for (const [kind, mailIn] of Object.entries(mails)) {
  for (const language of kind === 'account-reset-password' ? languageCodes : (['en'] as const)) {
    test(`docs/mail-samples: ${kind} in ${language} (UPDATE_SNAPSHOTS=1 writes it)`, async () => {
      const mail = mailIn(language)
      await assertSample(`${kind}.${language}`, { subject: mail.subject, ...composeEmail(mail) })
    })
  }
}

test('each language has every account email in its own words, with the same addresses', () => {
  for (const language of languageCodes.filter((one) => one !== 'en')) {
    for (const mailIn of Object.values(mails)) {
      const [own, english] = [mailIn(language), mailIn('en')]
      assert.notEqual(own.subject, english.subject)
      const same = own.paragraphs.filter((paragraph, at) => paragraph === english.paragraphs[at])
      assert.deepEqual(same, [])
      const addressesIn = (email: Email) =>
        composeEmail(email)
          .text.match(/https:\/\/[\w./#=-]+/g)
          ?.map((address) => address.replace(/\.$/, ''))
      assert.deepEqual(addressesIn(own)?.toSorted(), addressesIn(english)?.toSorted())
      assert.doesNotMatch(composeEmail(own).text, /undefined|\[object/)
    }
  }
})

test('uses the language of the profile for an email, or that of the request when the profile has none', async () => {
  const app = await startApp({ environment: { EMAIL_VERIFICATION: 'off' } })
  const bob = await signUp(app, 'Bob')
  const resetBy = async (acceptLanguage: string) => {
    const headers = { 'accept-language': acceptLanguage }
    await expectOk(sendRequest(app, 'POST', '/api/auth/password-reset', { email: bob.email }, headers), 202)
    const [mail] = await app.mails()
    return mail
  }
  assert.equal((await resetBy('tlh, de;q=0.5'))?.subject, 'Wählen Sie ein neues Passwort')
  assert.equal((await resetBy(''))?.subject, 'Choose a new password')
  await bob.send('PUT', '/api/my_profile', { language: 'ar' })
  const reset = await resetBy('de')
  assert.equal(reset?.subject, 'اختر كلمة مرور جديدة')
  assert.match(reset?.html ?? '', /<html lang="ar" dir="rtl">/)

  const newPassword = 'another horse battery staple'
  const token = tokenIn(reset)
  await expectOk(sendRequest(app, 'POST', '/api/auth/password-reset', { token, newPassword }))
  assert.equal((await app.mails())[0]?.subject, 'تغيّرت كلمة مرورك')
})

test('emails a new account in the language of the browser, and an invited person in that of the administrator', async () => {
  const app = await startApp({ environment: { EMAIL_VERIFICATION: 'required' } })
  const person = { email: 'hans@example.org', password, name: 'Hans', lname: 'Test' }
  const german = { 'accept-language': 'de-AT' }
  await expectOk(sendRequest(app, 'POST', '/api/auth/sign-up', person, german), 202)
  const [confirm] = await app.mails()
  assert.equal(confirm?.subject, 'Bestätigen Sie Ihre E-Mail-Adresse')
  await sendRequest(app, 'POST', '/api/auth/verify-email', { token: tokenIn(confirm) })
  const { body } = await sendRequest(app, 'POST', '/api/auth/sign-in', person)
  const authorization = { authorization: `Bearer ${body.token}` }
  const invited = { email: 'new@example.org' }
  await expectOk(sendRequest(app, 'POST', '/api/admin/invitations', invited, authorization), 202)
  assert.equal((await app.mails())[0]?.subject, 'Einladung zu Parley')
})
