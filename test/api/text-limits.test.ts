import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openapiDocument } from '@parley/contract/openapi'
import { maxUntrimmedLength } from '@parley/rules/text/plain-text'
import { approvedApp } from '../../apps/server/test/oauth/approved-app.ts'
import { basic, causesOf, postForm } from '../../apps/server/test/oauth/token-client.ts'
import { type Answer, sendRequest, signUp, standUp } from '../../apps/server/test/people.ts'
import { expectOk, expectProblem } from '../../apps/server/test/replies.ts'
import { publicAddress, startApp } from '../../apps/server/test/start-app.ts'
import { type Operation, operationsOf } from './fuzz-requests.ts'
import { type Place, pointerOf, type Text, textsIn } from './request-texts.ts'

/** Mallory has every right, and sends texts that are too long in every text field. */
const app = await startApp({ emails: 'dropped', environment: { RATE_LIMITS: 'off' } })
const mallory = await signUp(app, 'Mallory')
const planner = await approvedApp(app, mallory)
const document = openapiDocument({ baseUrl: publicAddress, version: 'test' })
const operations = operationsOf(document)

/** A value that contains only the text. */
const around = (place: Place, text: string): unknown =>
  place.reduceRight<unknown>((inner, key) => (key === '*' ? [inner] : { [key]: inner }), text)

/** The maximum of all endpoints (`httpLimits` in platform/http/http.ts). */
const maxBodyBytes = 1024 * 1024

/** A text without a maximum length is an email address, whose length the rules validate. */
const longestOf = ({ schema }: Text) => schema.maxLength ?? 254
const tooLong = (text: Text) => {
  const longest = longestOf(text)
  const hundredKilobytes = 100_000
  return [
    'a'.repeat(longest + 1),
    ' '.repeat(longest).concat('a'),
    'a'.concat(' '.repeat(longest)),
    '\u{1f600}'.repeat(longest + 1),
    'a'.repeat(hundredKilobytes),
    `${' '.repeat(hundredKilobytes)}a`,
    // One visible letter.
    `e${'\u0301'.repeat(hundredKilobytes)}`,
  ]
}

/** Fields that an endpoint requires before its rules validate a text. */
const appFields = {
  name: 'Sheets',
  homepageUrl: 'https://sheets.example/',
  policyUrl: 'https://sheets.example/privacy',
  logoUrl: 'https://sheets.example/logo.png',
  useCase: 'scheduling',
  scopes: ['meeting:read'],
  draft: true,
  callbackUrls: ['https://sheets.example/callback'],
}
const besides: Record<string, object> = { submitApp: appFields, editApp: appFields }
const nowhere = '00000000-0000-7000-8000-000000000000'

/** List the codes with which a reply refuses a field, if it refuses it. */
const codesAt = ({ body }: Answer, pointer: string): string[] =>
  (body.errors ?? []).filter(({ path }: { path: string }) => path === pointer).map(({ code }: { code: string }) => code)

const sendBody = (operation: Operation, { place }: Text, text: string) => {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'appId' ? planner.appId : nowhere))
  const body = { ...besides[operation.operationId], ...Object(around(place, text)) }
  if (!operation.form) return mallory.send(operation.method, path, body)
  const authorization = basic(planner.clientId, planner.clientSecret)
  return postForm(app, path, body, { authorization })
}

for (const operation of operations) {
  const { operationId, method, path, body, form, parameters } = operation
  for (const text of textsIn(document, body ?? {})) {
    const pointer = pointerOf(text.place)
    test(`${operationId} refuses a text at ${pointer} that is too long, and names the field`, async () => {
      for (const sent of tooLong(text)) {
        const answer = await sendBody(operation, text, sent)
        const shown = `${sent.length} characters: ${JSON.stringify(answer.body).slice(0, 500)}`
        // Refused before a field of it is read.
        if (Buffer.byteLength(sent) > maxBodyBytes) {
          assert.equal(answer.body.code, 'body_too_large', shown)
          continue
        }
        assert.ok([400, 413, 422].includes(answer.status), `${answer.status} for ${shown}`)
        // RFC 6749, 5.2: clients read the code, and the app's log names the parameter.
        if (form) assert.equal(answer.body.error, 'invalid_request', shown)
        else {
          assert.ok(codesAt(answer, pointer).length > 0, shown)
        }
      }
    })
  }

  for (const { name, in: place, schema } of parameters) {
    if (place === 'header' || ![schema.type].flat().includes('string') || schema.enum !== undefined) continue
    test(`${operationId} refuses a ${place} parameter ${name} that is too long`, async () => {
      for (const sent of tooLong({ place: [name], schema })) {
        const filled = path.replaceAll(/\{(\w+)\}/g, (_, other) => (other === name ? encodeURIComponent(sent) : 'x'))
        const target = place === 'path' ? filled : `${filled}?${new URLSearchParams({ [name]: sent })}`
        const answer = await sendRequest(app, method, target, undefined, { authorization: `Bearer ${mallory.token}` })
        const shown = `${answer.status} for ${sent.length} characters: ${JSON.stringify(answer.body).slice(0, 300)}`
        // A value that no path can have is not found; one that a query must not have is too long.
        if (place === 'path' || sent.length > 10_000) {
          assert.ok([404, 414, 431].includes(answer.status), shown)
          continue
        }
        assert.ok(answer.status === 400 && codesAt(answer, `/${name}`).length > 0, shown)
      }
    })
  }
}

test('an app’s event log names the parameter that was too long', async () => {
  const { properties = {} } = operations.find(({ operationId }) => operationId === 'exchangeToken')?.body ?? {}
  const causes = await causesOf(app, planner)
  for (const [name, { maxLength }] of Object.entries(properties)) {
    assert.ok(
      causes.includes(`token_refused: ${name} has more than ${maxLength} characters.`) || name.startsWith('client_'),
      name,
    )
  }
})

test('rules and contract agree on the maximum length of a text with surrounding spaces', async () => {
  const plain = operations.flatMap((operation) =>
    textsIn(document, operation.body ?? {}).flatMap((text) => {
      const trimmed = text.schema['x-maxTrimmedLength']
      return trimmed === undefined ? [] : [{ operation, text, trimmed }]
    }),
  )
  assert.ok(plain.length >= 20, `${plain.length} were found`)
  for (const { operation, text, trimmed } of plain) {
    const pointer = pointerOf(text.place)
    assert.equal(text.schema.maxLength, maxUntrimmedLength(trimmed), `${operation.operationId} ${pointer}`)
    const codes = async (sent: string) => codesAt(await sendBody(operation, text, sent), pointer)
    const padded = 'a'.repeat(trimmed).padStart(maxUntrimmedLength(trimmed))
    assert.deepEqual(await codes(padded), [], `${operation.operationId} ${pointer}`)
    assert.deepEqual(await codes(`${padded} `), ['too_long'], `${operation.operationId} ${pointer}`)
    assert.deepEqual(await codes('a'.repeat(trimmed + 1)), ['too_long'], `${operation.operationId} ${pointer}`)
  }
})

test('a meeting stores texts up to the limit as they were sent', async () => {
  const topic = ' '.repeat(350) + 'a'.repeat(250)
  const description = 'a'.repeat(10_000) + ' '.repeat(10_100)
  const body = await expectOk(mallory.send('POST', '/api/meeting', standUp({ topic, description })))
  assert.deepEqual([body.meetingDetails.topic, body.meetingDetails.description], [topic, description])
  const refused = await expectProblem(
    mallory.send('POST', '/api/meeting', standUp({ topic: `${topic} `, description: `${description} ` })),
    'invalid_request',
    ['/description too_long', '/topic too_long'],
  )
  assert.match(refused.detail, /topic must have at most 250 characters, and 600 with the spaces around them\./)
})

test('no refused text is stored or logged', async () => {
  const { rows: columns } = await app.pool.query(
    `select format('%I.%I', table_schema, table_name) as of, quote_ident(column_name) as name
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'`,
  )
  assert.ok(columns.length > 100)
  // The longest stored text is a meeting's description, up to 20,100 characters of four bytes each.
  const maxBytes = 4 * maxUntrimmedLength(10_000)
  const { rows: long } = await app.pool.query(
    columns
      .map(
        ({ of, name }) => `select '${of}.${name}' as place from ${of} where octet_length(${name}::text) > ${maxBytes}`,
      )
      .join(' union all '),
  )
  assert.deepEqual(long, [])
  assert.deepEqual(
    app.logged.filter((line) => line.length > 5_000),
    [],
  )
})
