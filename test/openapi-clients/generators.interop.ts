import assert from 'node:assert/strict'
import { copyFile, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { EventType } from '@parley/contract'
import type { OpenApiDocument } from '@parley/contract/openapi'
import { type Person, signUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { startApp } from '../../apps/server/test/start-app.ts'
import { folderWithDocument, programs, requireTools, run, tools, typescriptCompiler } from './tools.ts'

/**
 * npm run test:interop: generators of clients read the document of a running service. What they write compiles, without
 * a warning, and its program schedules, lists and cancels a meeting, and reads a refusal by its type. It also reads an event that a webhook receives.
 */
const app = await startApp({ emails: 'dropped', environment: { RATE_LIMITS: 'off' } })

/** More types than a developer can look through. */
const maxTypes = 300

async function createToken(person: Person): Promise<string> {
  const scopes = ['meeting:create', 'meeting:read', 'meeting:delete']
  const body = await expectOk(person.send('POST', '/api/auth/tokens', { name: 'Generated client', scopes }), 201)
  return body.token
}

/** What a program needs to call the service for a person, and an event as a webhook receives it. */
const environmentOf = async (person: Person) => ({
  BASE_URL: app.base,
  TOKEN: await createToken(person),
  EVENT: JSON.stringify(await sampleOf('meeting.updated')),
})

async function sampleOf(type: EventType): Promise<unknown> {
  const { webhooks } = (await (await fetch(`${app.base}/openapi.json`)).json()) as OpenApiDocument
  return Object(webhooks[type]?.post?.requestBody).content['application/json'].examples[type].value
}

/** Each program prints this. */
function assertWorked(printed: string) {
  assert.deepEqual(JSON.parse(printed), {
    topics: ['Stand-up'],
    code: 'invalid_request',
    violations: ['/topic too_short'],
    cancelled: true,
    status: 'cancelled',
    changed: ['startTime', 'endTime'],
  })
}

function assertFewTypes(t: TestContext, names: readonly string[]) {
  t.diagnostic(`${names.length} types`)
  for (const name of ['Problem', 'MeetingRequest', 'MeetingUpdatedEvent']) assert.ok(names.includes(name), name)
  assert.ok(names.length <= maxTypes, `${names.length} types`)
}

const matchesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)

test('Alice writes TypeScript with openapi-typescript and openapi-fetch', async (t) => {
  requireTools(tools.openapiTypescript)
  await using generated = await folderWithDocument(app.base)
  const { folder, document } = generated
  const types = join(folder, 'api.ts')
  await run(tools.openapiTypescript, [document, '--root-types', '--root-types-no-schema-prefix', '--output', types])
  assertFewTypes(t, matchesIn(await readFile(types, 'utf8'), /^export type (\w+) = components/gm))

  await symlink(tools.npmPackages, join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const program = join(folder, 'client.ts')
  await copyFile(programs.typescript, program)
  // `node` is not among the packages of the generator: the program's one use of it is declared here.
  const declared = join(folder, 'node.d.ts')
  await writeFile(declared, 'declare const process: { env: Record<string, string | undefined> }\n')
  const strict = [
    '--strict',
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'esnext',
    '--lib',
    'esnext,dom,dom.iterable',
  ]
  const options = [...strict, '--allowImportingTsExtensions', '--types', '', program, declared]
  await run(process.execPath, [typescriptCompiler, '--ignoreConfig', ...options], { cwd: folder })
  const environment = await environmentOf(await signUp(app, 'Alice'))
  assertWorked((await run(process.execPath, [program], { environment })).stdout)
})

test('Bob writes Python with openapi-python-client', async (t) => {
  requireTools(tools.python, tools.openapiPythonClient)
  await using generated = await folderWithDocument(app.base)
  const { folder, document } = generated
  const client = join(folder, 'parley_client')
  const generate = ['generate', '--path', document, '--output-path', client, '--meta', 'none', '--fail-on-warning']
  await run(tools.openapiPythonClient, generate, { cwd: folder })
  assertFewTypes(t, matchesIn(await readFile(join(client, 'models/__init__.py'), 'utf8'), /^ {4}"(\w+)",$/gm))

  await run(tools.python, ['-W', 'error', '-m', 'compileall', '-q', client])
  const program = join(folder, 'client.py')
  await copyFile(programs.python, program)
  const environment = await environmentOf(await signUp(app, 'Bob'))
  assertWorked((await run(tools.python, [program], { environment })).stdout)
})

test('Carol writes Go with oapi-codegen', async (t) => {
  requireTools(tools.oapiCodegen)
  await using generated = await folderWithDocument(app.base)
  const { folder, document } = generated
  await cp(programs.go, folder, { recursive: true })
  await mkdir(join(folder, 'parley'))
  for (const part of ['models', 'client']) {
    const output = join(folder, `parley/${part}.gen.go`)
    await run(tools.oapiCodegen, ['-package', 'parley', '-generate', part, '-o', output, document])
  }
  // An alias is another name of a type that is counted.
  const models = await readFile(join(folder, 'parley/models.gen.go'), 'utf8')
  assertFewTypes(t, matchesIn(models, /^type (\w+) (?!=)/gm))

  const program = join(folder, 'client')
  await run('go', ['build', '-o', program, '.'], { cwd: folder, environment: { GOFLAGS: '', GO111MODULE: 'on' } })
  const environment = await environmentOf(await signUp(app, 'Carol'))
  assertWorked((await run(program, [], { environment })).stdout)
})
