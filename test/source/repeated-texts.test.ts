import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { problems } from '@parley/contract'
import { nounsIn, stemOf, textsOf } from '../../packages/texts/test/text-files.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** English texts that stand in several places, and why each place keeps its own. */
const distinct: Record<string, string> = {
  Accept: 'a button of the web app, and of a page of the server',
  'Ask again': 'for OAuth, and to be admitted: Hindi and Arabic differ',
  Cancelled: 'a meeting, and the filter of all of them: Arabic has a plural',
  Date: 'a day, and an occurrence: German and Arabic differ',
  Decline: 'a button of the web app, and of a page of the server',
  Failed: 'an automatic check, and a delivery: German differs',
  'Home page': 'a field of the form, and a link of the consent page: Hindi differs',
  Invite: 'a heading, and a button: Arabic differs',
  'Lower hand': 'one’s own, and another’s: Arabic differs',
  Meeting: 'a topic, and the name of a region: Arabic differs',
  Mute: 'oneself, and another: Arabic differs',
  'On a date': 'a day of each month, and the last day of a series',
  'On hold': 'one app, and the filter of all of them: Hindi and Arabic have a plural',
  Privacy: 'a consent of a school, and a heading of the consent page: Hindi differs',
  Refresh: 'read a list again, and renew tokens: German and Hindi differ',
  Rejected: 'a state, and an event: Arabic has a verb',
  Remove: 'a person, and a passkey: Arabic differs',
  Repeats: 'a sentence about a meeting, and the label of a field: all languages differ',
  Show: 'a button, and the label of a filter: Arabic differs',
  'Sign in with {}': 'the placeholder is filled by i18next, and by the server',
  Start: 'a button, and a point in time: all languages differ',
  Suspended: 'a state, and an event: Arabic has a verb',
  'Test {}?': 'the title of a page as text, and its heading as markup',
  'The email address or the password is wrong.': 'the text of a problem, and of a page of the server',
  Unmute: 'a button of the toolbar, and of a dialog: German differs',
  View: 'how a calendar is shown, and a button: all languages differ',
  'You are not signed in': 'after a wrong password, and after a refusal of the provider: Arabic differs',
  '{} is muted.': 'the result of an action, and an announcement: Hindi and Arabic differ',
  Developer: 'the settings for developers, and the person who has registered an app',
  Settings: 'those of the account, and those of the devices in a room',
  '{} more': 'of participants, dates and people inside: German and Arabic inflect them',
  '{}th': 'the ordinals of Intl.PluralRules',
}

type Place = { key: string; text: string }

/** The texts of files. A key that refers to another one with `$t()` has no text of its own. */
const textsOfFiles = (files: readonly string[]): Place[] =>
  files.flatMap((file) =>
    textsIn(JSON.parse(readFileSync(join(root, file), 'utf8')), file.replace(/^.*\//, '').replace('.json', ':')),
  )
const pageTexts = () => textsOfFiles(globSync('packages/texts/en/*.json', { cwd: root, exclude: ['**/*-emails.json'] }))
const emailTexts = () => textsOfFiles(globSync('packages/texts/en/*-emails.json', { cwd: root }))

function textsIn(value: unknown, key: string): Place[] {
  if (typeof value === 'string') return value.startsWith('$t(') ? [] : [{ key, text: value }]
  return Object.entries(Object(value)).flatMap(([name, inner]) => textsIn(inner, `${key.replace(/\w$/, '$&.')}${name}`))
}

/** The keys of each text that occurs more than once. The plural forms of a key count as one occurrence. */
function repeatedIn(places: readonly Place[]): Map<string, string[]> {
  const byText = new Map<string, Set<string>>()
  for (const { key, text } of places) {
    const shown = text.replaceAll(/\{\{.*?\}\}|\$\{.*?\}/g, '{}')
    if (!/\p{L}{2}/u.test(shown)) continue
    byText.set(shown, (byText.get(shown) ?? new Set()).add(key.replace(/_(zero|one|two|few|many|other)$/, '')))
  }
  return new Map([...byText].filter(([, keys]) => keys.size > 1).map(([text, keys]) => [text, [...keys]]))
}

/**
 * Only English is compared: what another language says in the same words, as German does for Reject and Decline, may be
 * two texts.
 */
test('an English text of the pages occurs once, unless it is listed with the reason', () => {
  const repeated = repeatedIn(pageTexts())
  const unlisted = [...repeated].filter(([text]) => !Object.hasOwn(distinct, text))
  assert.deepEqual(unlisted, [])
  assert.deepEqual(
    Object.keys(distinct).filter((text) => !repeated.has(text)),
    [],
    'listed, but no longer repeated',
  )
})

/** Emails are compared apart from the pages: they are composed by functions, and stay as they were sent. */
test('an English text of the emails occurs once', () => {
  const repeated = repeatedIn(emailTexts())
  // Of a rejected app, and of a declined request.
  repeated.delete('Reason: {}')
  assert.deepEqual([...repeated], [])
})

/** By its whole key, the fixed part of it, or its first part, where the rest follows from it. */
test('the server uses every text of its emails and pages', () => {
  const readers = globSync('apps/server/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .filter((source) => /\bt\(|textsIn\(/.test(source))
  const beginnings = readers.flatMap((source) => [...source.matchAll(/`([\w.-]+)\$\{/g)].map(([, fixed = '']) => fixed))
  const nouns = nounsIn('en').filter((noun) => /-(emails|pages)$/.test(noun))
  const unused = nouns.flatMap((noun) => {
    const texts = textsOf('en', noun)
    const referred = [...texts.values()].flatMap((text) => text.match(/(?<=\$t\().*?(?=\))/g) ?? [])
    const isRead = (key: string) =>
      readers.some((source) => source.includes(`'${key}'`) || source.includes(`'${key.split('.')[0]}'`)) ||
      beginnings.some((fixed) => key.startsWith(fixed))
    const keys = new Set([...texts.keys()].map((key) => stemOf(key.replace(/\.\d+$/, ''), texts)))
    return [...keys]
      .filter((key) => !referred.includes(`${noun}:${key}`) && !isRead(key))
      .map((key) => `${noun}:${key}`)
  })
  assert.deepEqual(unused, [])
})

/** Problems that no request of a page can cause, with the reason. */
const problemsOfPrograms: Record<string, string> = {
  malformed_body: 'the pages write JSON',
  malformed_request: 'browsers write HTTP',
  invalid_idempotency_key: 'the pages make the key',
  insufficient_scope: 'the pages use a session, which holds every scope',
  session_required: 'the pages use a session',
  app_token_refused: 'the pages use a session',
  app_token_required: 'apps ask for tickets',
  embed_ticket_refused: 'the frame of an embedded meeting says it',
  cross_origin: 'the pages have the origin of the service',
  calendar_not_found: 'calendar programs read that address',
  method_not_allowed: 'the pages call endpoints of the contract',
  request_timeout: 'the upload of a page is at most as large as a logo',
  key_in_flight: 'a page waits for the reply to a key',
  cursor_expired: 'a page follows events from now on',
  precondition_failed: 'a page sends the version that it shows: stale_version',
  body_too_large: 'the forms limit what they send',
  address_too_long: 'the pages write the address',
  unsupported_media_type: 'the pages name the type',
  key_reused: 'a page makes a key for each body',
  too_many_requests: 'its text has plural forms',
  headers_too_large: 'browsers write the headers',
}

test('each problem that a page can meet has a text for people', () => {
  const texts = JSON.parse(readFileSync(join(root, 'packages/texts/en/problems.json'), 'utf8'))
  const without = Object.keys(problems).filter((code) => !(code in texts))
  assert.deepEqual(without.sort(), Object.keys(problemsOfPrograms).sort())
})

/**
 * Texts that speak of sending or notifying and promise no email, with the reason. A promise is chosen by whether email
 * leaves the service: `useMail` of the web app selects `sent` or `kept`.
 */
const noPromise: Record<string, string> = {
  'administration:organisation.explanation': 'about the look of emails',
  'administration:organisation.nameHint': 'about the look of emails',
  'administration:organisation.notInMail': 'denies',
  'administration:setUp.mail': 'says that no email leaves',
  'administration:setUp.links': 'shown where email leaves, or beside the sentence that it does not',
  'administration:setUp.insecure': 'about links',
  'administration:setUp.steps.mail': 'a step, ticked where email leaves',
  'administration:setUp.testMail': 'shown where email leaves',
  'administration:setUp.testMailSent': 'shown where email leaves',
  'apps:form.callbackUnencrypted': 'the review shows it',
  'connected-apps:invitations.title': 'the invitations are on that page',
  'meeting:block.explanation': 'fewer emails, which is true without any',
  'meeting:handOvers.explanation': 'denies',
  'meeting:people.mailFailed': 'reports a failure',
  'meeting:people.notSent': 'says that no email leaves',
  'meeting:resend.limited': 'a refusal',
  'meetings:filter.invitations': 'a list of what was received',
  'meetings:none.invitations': 'a list of what was received',
  'meetings:noneExplanation.invitations': 'a list of what was received',
  'problems:mail_limited': 'a refusal',
  'problems:too_many_invitations': 'a refusal',
  'settings:groups.emails': 'a heading',
  'settings:language.mails': 'the label of a language',
  'settings:language.mailsExplanation': 'the kinds of texts in that language',
  'settings:language.zoneExplanation': 'the zone of their times',
  'room:waiting.notified': 'a notice in the host’s room',
  'schedule:when.over': 'denies',
  'security:log.actions.password_reset': 'a link that was used',
  'scopes:meeting:join': 'answers to invitations',
  'webhooks:delete.explanation': 'requests to a webhook',
  'webhooks:extentExplanation.some': 'requests to a webhook',
  'webhooks:log.explanation': 'requests to a webhook',
  'webhooks:log.none': 'requests to a webhook',
  'webhooks:log.resent': 'requests to a webhook',
  'webhooks:nouns.invitation': 'a kind of events',
  'webhooks:test.explanation': 'requests to a webhook',
  'webhooks:test.sent': 'a request to a webhook',
  'webhooks:types.invitation_failed': 'reports a failure',
  'oauth-pages:theirs.happened': 'what a browser sent',
  'oauth-pages:tester.declined': 'denies',
  'oauth-pages:signIn.emailNotVerified': 'chosen by mailIsSent in login-form.ts',
  'oauth-pages:signIn.emailNotVerifiedWithoutMail': 'chosen by mailIsSent in login-form.ts',
  'oauth-pages:errors.sandbox_request_wrong.advice': 'a redirect',
}

/** Words of a promise. "Email address" and "send a secret" are not among them. */
const promising =
  /(?<![-\w])(?:e?mail(?:s|ed)?(?! address)|on (?:its|their) way|(?:is|are|been|was|were|ve|have|still) sent|notif(?:y|ied|ies)|told|invitations)\b/i

test('a page promises an email only in a text that has another version for where no email leaves', () => {
  const texts = pageTexts()
    .map(({ key, text }) => ({ key: key.replace(/_(one|other)$/, ''), text: text.replaceAll(/\{\{.*?\}\}/g, '') }))
    .filter(({ text }) => promising.test(text))
  const paired = (key: string) => /\.(sent|kept)$/.test(key)
  assert.deepEqual(
    texts.filter(({ key }) => !paired(key) && !Object.hasOwn(noPromise, key)),
    [],
  )
  const found = new Set(texts.map(({ key }) => key))
  assert.deepEqual(
    Object.keys(noPromise).filter((key) => !found.has(key)),
    [],
    'listed, but no such text',
  )
  // A literal key would select a version without looking.
  const chosen = globSync('apps/web/src/**/*.{ts,tsx}', { cwd: root }).flatMap(
    (file) => readFileSync(join(root, file), 'utf8').match(/(?<=['`])[\w:.-]+\.(?:sent|kept)(?=['`])/g) ?? [],
  )
  assert.deepEqual(chosen, ['test.sent'], 'the key of a webhook alone is a literal')
})
