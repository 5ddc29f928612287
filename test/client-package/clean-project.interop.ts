import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { secureRandom } from '../../apps/server/src/platform/random.ts'
import { readWebBuild } from '../../apps/server/src/web-app/web-app.ts'
import { newWebhookSecret } from '../../apps/server/src/webhooks/webhook-secret.ts'
import { type Person, signUp, standUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { startApp } from '../../apps/server/test/start-app.ts'
import { startReceiver } from '../../apps/server/test/webhooks/receiver.ts'
import { buildWebWhenStale, builtPages } from '../../scripts/build-web.ts'
import { createCleanProject, programOf, versionOf } from './clean-project.ts'

/**
 * Install the client from a running service in a project outside the repository, and use it with the machine's own Node
 * and with TypeScript 5 and 7.
 */

await buildWebWhenStale()
const site = await readWebBuild(builtPages)
assert.ok(site)
const app = await startApp({ emails: 'dropped', site })
const project = await createCleanProject()
// Where a package does not run on this Node, npm fails.
await project.run('npm', ['install', '--no-audit', '--no-fund', '--engine-strict', `${app.base}/client.tgz`])
const installedAtFirst = await readdir(join(project.folder, 'node_modules'))
await project.run('npm', [
  'install',
  '--no-audit',
  '--no-fund',
  // For a page that joins meetings.
  `livekit-client@${await versionOf('livekit-client')}`,
  `typescript@${await versionOf('typescript')}`,
  'typescript-5@npm:typescript@5.9.3',
  `@types/node@${await versionOf('@types/node')}`,
  `vite@${await versionOf('vite')}`,
])
/** TypeScript 7 checks the declarations of all packages as well; TypeScript 5 takes a minute for those of TypeBox. */
const compilers = [
  ['node_modules/typescript/bin/tsc'],
  ['node_modules/typescript-5/bin/tsc', '--skipLibCheck'],
] as const
const resolutions = [
  ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
  ['--module', 'esnext', '--moduleResolution', 'bundler'],
]

async function tokenOf(person: Person, scopes: readonly string[]): Promise<string> {
  const body = await expectOk(person.send('POST', '/api/auth/tokens', { name: 'Script', scopes }), 201)
  return body.token
}

/** Publish events as a running service does, until this is done. */
async function whilePublishing<Result>(under: Promise<Result>): Promise<Result> {
  let isOver = false
  const over = under.finally(() => {
    isOver = true
  })
  while (!isOver) {
    await app.publishEvents()
    await sleep(50)
  }
  return over
}

test('the service’s own address installs it, without media, on the machine’s own Node', async () => {
  const { dependencies } = JSON.parse(await readFile(join(project.folder, 'package.json'), 'utf8'))
  assert.equal(dependencies['@parley/client'], `${app.base}/client.tgz`)
  const visible = installedAtFirst.filter((name) => !name.startsWith('.'))
  assert.deepEqual(visible.toSorted(), ['@parley', 'typebox'])
})

test('npx runs its command line by the service’s own address', async () => {
  const package_ = ['--yes', `--package=${app.base}/client.tgz`]
  const { version } = JSON.parse(
    await readFile(join(project.folder, 'node_modules/@parley/client/package.json'), 'utf8'),
  )
  assert.equal(await project.run('npx', [...package_, 'parley', '--version']), `${version}\n`)
  const dora = await signUp(app, 'Dora')
  const variables = { PARLEY_URL: app.base, PARLEY_TOKEN: await tokenOf(dora, ['meeting:read']) }
  const output = await project.run('npx', ['--yes', `${app.base}/client.tgz`, 'meetings', 'list', '--json'], variables)
  assert.equal(JSON.parse(output).totalCount, 0)
})

const strict = ['--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--noEmit']
const errorsOf = (compiler: readonly string[], words: readonly string[]) =>
  project.outcomeOf('node', [...compiler, ...strict, ...words]).then(({ stdout }) => stdout)

test('the program of docs/client.md compiles, and creates, lists and cancels a meeting on the machine’s own Node', async () => {
  const program = (await programOf('Use the client')).replace('http://localhost:3000', app.base)
  assert.ok(program.includes(app.base))
  await project.write('program.ts', program)
  for (const compiler of compilers)
    for (const resolution of resolutions)
      assert.equal(await errorsOf(compiler, [...resolution, '--types', 'node', '--lib', 'es2023', 'program.ts']), '')

  const emitted = ['--module', 'nodenext', '--target', 'es2022', '--types', 'node', '--outDir', 'built', 'program.ts']
  await project.run('node', ['node_modules/typescript/bin/tsc', ...emitted])
  const [major = 0] = (await project.run('node', ['--version'])).replace('v', '').split('.').map(Number)
  assert.ok(major >= 20, `The package promises Node 20 and later; this machine has ${major}.`)

  const alice = await signUp(app, 'Alice')
  const token = await tokenOf(alice, ['meeting:create', 'meeting:read', 'meeting:delete'])
  const output = await project.run('node', ['built/program.js'], { PARLEY_TOKEN: token })
  const [created, listed, cancelled, refused] = output.trim().split('\n')
  assert.equal(created, 'created Weekly review')
  assert.equal(listed, 'listed 1')
  assert.match(cancelled ?? '', /^cancelled .*cancelled/i)
  assert.equal(refused, 'refused There is no such meeting.')
  const { body } = await alice.send('GET', '/api/meeting/me?past=false')
  assert.equal(body.totalCount, 0)
})

test('the program of docs/client.md that follows events compiles, receives an event and goes on from its cursor', async () => {
  const program = (await programOf('Follow events')).replace('http://localhost:3000', app.base)
  assert.ok(program.includes(app.base))
  await project.write('follow.ts', program)
  for (const compiler of compilers)
    for (const resolution of resolutions)
      assert.equal(await errorsOf(compiler, [...resolution, '--types', 'node', '--lib', 'es2023', 'follow.ts']), '')
  const emitted = ['--module', 'nodenext', '--target', 'es2022', '--types', 'node', '--outDir', 'built', 'follow.ts']
  await project.run('node', ['node_modules/typescript/bin/tsc', ...emitted])

  const bob = await signUp(app, 'Bob')
  const create = async (topic: string) =>
    (await bob.send('POST', '/api/meeting?sendUpdates=none', standUp({ topic }))).body.meetingDetails._id as string
  const readCursor = () => readFile(join(project.folder, 'cursor.txt'), 'utf8').catch(() => '')
  /** Run the program until it has handled what `change` does, and end it by deleting its token. */
  async function outputWhile(change: () => Promise<unknown>): Promise<string> {
    const token = await tokenOf(bob, ['meeting:read'])
    const before = await readCursor()
    const running = project.outcomeOf('node', ['built/follow.js'], { PARLEY_TOKEN: token })
    const handling = (async () => {
      while ((await readCursor()) === before) await sleep(50)
      const begun = await readCursor()
      await change()
      while ((await readCursor()) === begun) await sleep(50)
    })()
    await whilePublishing(handling)
    const { body } = await bob.send('GET', '/api/auth/tokens')
    await bob.send('DELETE', `/api/auth/tokens/${body.tokens[0]._id}`)
    const { code, stdout, stderr } = await running
    assert.equal(code, 1)
    assert.match(stderr, /ProblemError: The token is unknown/)
    return stdout
  }
  let meeting = ''
  const first = await outputWhile(async () => {
    meeting = await create('Followed')
  })
  assert.equal(first, 'created Followed\n')
  await create('Missed')
  await app.publishEvents()
  const second = await outputWhile(() =>
    bob.send('PUT', `/api/meeting/meetingDetails/${meeting}?sendUpdates=none`, standUp({ topic: 'Renamed' })),
  )
  assert.equal(second, 'created Missed\nupdated Renamed topic\n')
})

test('the command line of the packed client forwards events on the machine’s own Node', async () => {
  const carol = await signUp(app, 'Carol')
  const token = await tokenOf(carol, ['meeting:read'])
  const receiver = await startReceiver()
  const secret = newWebhookSecret(secureRandom)
  receiver.secrets.push(secret)
  const forwarding = project.outcomeOf('node_modules/.bin/parley', ['events', 'listen', '--forward-to', receiver.url], {
    PARLEY_URL: app.base,
    PARLEY_TOKEN: token,
    WEBHOOK_SECRET: secret,
  })
  const writing = (async () => {
    while (receiver.taken.length === 0) {
      await carol.send('POST', '/api/meeting?sendUpdates=none', standUp({ topic: 'Forwarded' }))
      await sleep(100)
    }
  })()
  await whilePublishing(writing)
  assert.deepEqual([receiver.taken[0]?.data.topic, receiver.forged], ['Forwarded', []])
  // Its token is deleted: the program ends with the problem.
  const { body } = await carol.send('GET', '/api/auth/tokens')
  await carol.send('DELETE', `/api/auth/tokens/${body.tokens[0]._id}`)
  const { code, stderr } = await forwarding
  assert.equal(code, 1)
  assert.match(stderr, /^The token is unknown: .* \(unauthorized, /m)
})

test('a wrong field, a missing parameter and an unknown code do not compile', async () => {
  const lines = [
    "import { connect, isProblem } from '@parley/client'",
    "import { cancelMeeting, readProfile } from '@parley/client/contract'",
    "const client = connect({ base: '' });",
    "await client.call(cancelMeeting, { params: { meetingId: 'x' }, body: { cancel: 'some' } });",
    'await client.call(cancelMeeting, { body: {} });',
    '(await client.call(readProfile)).nickname',
    "if (isProblem(null, 'meeting_not_fond')) throw new Error()",
  ]
  await project.write('mistakes.ts', lines.join('\n'))
  for (const compiler of compilers) {
    const errors = await errorsOf(compiler, [...(resolutions[0] ?? []), '--types', 'node', 'mistakes.ts'])
    const found = [...errors.matchAll(/^mistakes\.ts\((\d+),/gm)].map(([, line]) => Number(line))
    assert.deepEqual([...new Set(found)], [4, 5, 6, 7], errors)
  }
})

test('a page with join() compiles, and Vite bundles it without the rest of the contract', async () => {
  await project.write(
    'page.ts',
    "import { join } from '@parley/client/join'\njoin({ base: 'https://meet.example.org', svcMeetId: '1234567890' }).subscribe(() => {})\n",
  )
  for (const compiler of compilers)
    for (const resolution of resolutions)
      assert.equal(await errorsOf(compiler, [...resolution, '--lib', 'es2023,dom,dom.iterable', 'page.ts']), '')

  await project.write('index.html', '<!doctype html><title>Page</title><script type="module" src="/page.ts"></script>')
  await project.write('build.js', "await (await import('vite')).build({ build: { assetsDir: '.', minify: false } })\n")
  await project.run('node', ['build.js'])
  const page = await readFile(join(project.folder, 'dist/index.html'), 'utf8')
  const [, script = ''] = /src="\/([^"]+\.js)"/.exec(page) ?? []
  const bundle = await readFile(join(project.folder, 'dist', script), 'utf8')
  assert.ok(bundle.includes('/api/rooms/:svcMeetId/enter'), 'The page joins a room')
  assert.ok(
    !bundle.includes('/api/admin/audit-log') && !bundle.includes('/api/auth/sign-up'),
    'The page has other endpoints',
  )
  assert.ok(!/from\s*["'](?:@parley|livekit-client)/.test(bundle), 'The bundle imports packages')
})
