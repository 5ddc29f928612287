import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/**
 * Words and phrases that were private to this project, and their replacements (docs/glossary.md has the project's own
 * words). A reader who knows OAuth, iCalendar, WebRTC and Fastify must not meet a word that only this project uses.
 */
const banned: Record<string, string> = {
  deed: 'handler, action, AuditedChange',
  deeds: 'handlers, actions',
  told: 'the noun: violations, message, request context; or notified, reported',
  tell: 'notify, report, log',
  judge: 'validate, evaluate, classify',
  judged: 'validated, evaluated',
  judgement: 'evaluation',
  fault: 'error, violation',
  faults: 'errors, violations',
  looker: 'viewer',
  knock: 'entry request',
  surroundings: 'Dependencies',
  means: 'Dependencies',
  forget: 'delete, clear',
  forgotten: 'deleted, cleared',
  settle: 'reconcile, finish',
  hear: 'subscribe, handle, receive',
  hears: 'subscribes, receives',
  pulse: 'ticker',
  chance: 'random',
  draw: 'generate',
  drawn: 'generated',
  seal: 'encrypt',
  sealed: 'encrypted',
  lane: 'queue',
  lanes: 'queues',
  judges: 'interop runs',
  nobody: 'no one, or the noun: unknownAccount, signedOut',
  somebody: 'the noun: person, guest',
  anybody: 'anyone, or the noun',
  everybody: 'everyone, or the noun: participants',
  whoever: 'the noun: person, caller',
  heard: 'received',
  standing: 'status, role',
  door: 'admission, entry, lobby',
  dribble: 'the act: sendByteByByte',
  untaken: 'unsent, rejected',
  unwell: 'failing',
  complaint: 'error, violation',
  complaints: 'errors, violations',
  furnish: 'populate',
  stumbling: 'the noun: findSlowText',
  thin: 'limited',
  dice: 'random source',
  'come in': 'enter, join',
  'waits for host': 'waiting_for_host',
  'say aside': 'print on standard error',
  'what is there': 'populate, or the noun: rows',
  'unclear range': 'ambiguous range',
  'unclear starts': 'ambiguous starts',
  'known search': 'withoutUnknownParameters',
  'hold credential': 'lockCredentialForShare',
}

/**
 * Names that cannot change: columns and job payloads of landed migrations and releases, the public SDK's snapshot and
 * functions, an icon of Tabler, and the payload of webhooks that Stripe calls so as well.
 */
const allowed = new Set([
  // Of canvases.
  'drawImage',
  'tellsParticipants',
  'sealed',
  'sealedSecrets',
  'sealed_secrets',
  'sealedAnswer',
  'lane',
  'lanes',
  'webhookLane',
  'asking',
  'IconDoorEnter',
  'thin',
])

const root = fileURLToPath(new URL('../../', import.meta.url))
const files = globSync(['{packages,apps}/*/{src,test}/**/*.{ts,tsx}', '{e2e,test,bench,scripts,examples}/**/*.ts'], {
  cwd: root,
}).filter((file) => file !== 'test/source/words.test.ts')

const segmentsOf = (identifier: string) =>
  (identifier.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((segment) => segment.toLowerCase())
const phrases = Object.keys(banned).map((phrase) => ` ${phrase} `)
function isBanned(identifier: string): boolean {
  if (allowed.has(identifier)) return false
  const words = ` ${segmentsOf(identifier).join(' ')} `
  return phrases.some((phrase) => words.includes(phrase))
}

/** The code without comments, strings, SQL and regular expressions, so that only names are left. */
function identifiersIn(source: string): string[] {
  const code = source
    .replaceAll(/\/\*[\s\S]*?\*\//g, ' ')
    .replaceAll(/(^|[^:])\/\/.*$/gm, '$1')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, ' ')
    .replaceAll(/`(?:[^`\\]|\\.)*`/g, ' ')
    .replaceAll(/([(,=:]\s*)\/(?:[^/\\\n]|\\.)+\//g, '$1')
    .replaceAll(/>[^<>{}=;()]*</g, '><')
  return code.match(/[A-Za-z_$][\w$]*/g) ?? []
}

test('no identifier or file name contains a word that is private to this project', () => {
  const found = files.flatMap((file) => {
    const names = [basename(file), ...identifiersIn(readFileSync(`${root}${file}`, 'utf8'))]
    return [...new Set(names.filter(isBanned))].map((name) => `${file}: ${name}`)
  })
  assert.deepEqual(found, [], `say instead: ${JSON.stringify(banned, undefined, 2)}`)
})

const proseFiles = globSync('{packages/*/src,apps/server/src}/**/*.ts', { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts') && !file.startsWith('packages/texts/'),
)
const commentsIn = (source: string) => source.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm) ?? []

test('comments name a person by a noun', () => {
  const found = proseFiles.flatMap((file) =>
    commentsIn(readFileSync(`${root}${file}`, 'utf8'))
      .filter((comment) => /\b(nobody|somebody|anybody|everybody|whoever)\b/i.test(comment))
      .map((comment) => `${file}: ${comment}`),
  )
  assert.deepEqual(found, [], 'say the noun: participants, the caller, no other person')
})

/** Third persons that are no plural nouns as well, so that `Names of apps` may begin a comment. */
const thirdPerson =
  /^(?:Adds|Allows|Applies|Asks|Begins|Closes|Collects|Compares|Composes|Computes|Contains|Converts|Creates|Decides|Decodes|Decrypts|Deletes|Delivers|Derives|Detects|Determines|Distinguishes|Does|Encodes|Encrypts|Ends|Ensures|Enters|Erases|Evaluates|Fetches|Fills|Finds|Forwards|Generates|Gets|Gives|Handles|Has|Ignores|Includes|Inserts|Invites|Is|Joins|Keeps|Leaves|Lets|Locks|Looks|Makes|Moves|Notifies|Opens|Parses|Picks|Plans|Prepares|Prevents|Provides|Publishes|Queues|Reads|Receives|Reconciles|Refuses|Registers|Rejects|Removes|Renders|Replaces|Requires|Resolves|Restores|Returns|Revokes|Runs|Says|Selects|Sends|Serves|Sets|Splits|Starts|Stops|Stores|Takes|Tells|Throws|Tries|Updates|Validates|Verifies|Waits|Writes)$/

/** The comment's first word, where a function follows the comment. */
const firstWordsOfFunctions = (source: string): string[] =>
  [
    ...source.matchAll(
      /\/\*\*\s*(?:\* )?([A-Za-z]+)(?:(?!\*\/)[\s\S])*\*\/\s*(?:export )?(?:async )?(?:function\b|const \w+ =\s*(?:async )?(?:<[^=]*>)?\(|#?\w+(?:<[^()]*>)?\()/g,
    ),
  ].map(([, word = '']) => word)

test("a function's comment begins with an imperative", () => {
  const found = proseFiles.flatMap((file) =>
    firstWordsOfFunctions(readFileSync(`${root}${file}`, 'utf8'))
      .filter((word) => thirdPerson.test(word))
      .map((word) => `${file}: ${word}`),
  )
  assert.deepEqual(found, [])
})

test("finds a third person in a function's comment, but not a plural or a comment of a value", () => {
  const wordsOf = (source: string) => firstWordsOfFunctions(source).filter((word) => thirdPerson.test(word))
  assert.deepEqual(wordsOf('/** Finds meetings. */\nexport async function findMeetings() {'), ['Finds'])
  assert.deepEqual(wordsOf('/**\n * Starts it. */\nconst start = (a: number) =>'), ['Starts'])
  assert.deepEqual(wordsOf('type A = {\n  /** Returns false. */\n  remove(id: string): boolean'), ['Returns'])
  assert.deepEqual(wordsOf('/** Names of apps. */\nfunction namesOf() {'), [])
  assert.deepEqual(wordsOf('/** Takes 10 ms. */\nconst max = 5\n/** Find it. */\nfunction find() {'), [])
})

test('no key of the texts contains such a word', () => {
  const keysIn = (texts: object): string[] =>
    Object.entries(texts).flatMap(([key, inner]) => [key, ...(typeof inner === 'string' ? [] : keysIn(Object(inner)))])
  const found = globSync('packages/texts/en/*.json', { cwd: root }).flatMap((file) =>
    keysIn(JSON.parse(readFileSync(`${root}${file}`, 'utf8')))
      .filter(isBanned)
      .map((key) => `${file}: ${key}`),
  )
  assert.deepEqual(found, [])
})

test('finds a banned word in each naming style, but not within a longer word', () => {
  for (const name of ['deed', 'useDeed', 'draft-faults.ts', 'maxViolationsTold', 'TELL_LATER', 'comeInAsGuest'])
    assert.ok(isBanned(name), name)
  for (const name of ['default', 'defaultValue', 'tellsParticipants', 'indeed', 'outer', 'becomeInstance'])
    assert.ok(!isBanned(name), name)
})
