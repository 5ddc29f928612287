import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { type Person, signUp } from '../../apps/server/test/people.ts'
import { startApp } from '../../apps/server/test/start-app.ts'
import { packClient } from '../../scripts/pack-client.ts'
import { createCleanProject, programOf, versionOf } from './clean-project.ts'

/**
 * Install the packed client in a project outside the repository, from the registry, and use it with the machine's own
 * Node and with TypeScript 5 and 7.
 */

const app = await startApp({ emails: 'dropped' })
const project = await createCleanProject()
const tarball = await packClient(project.folder)
await project.run('npm', [
  'install',
  '--no-audit',
  '--no-fund',
  `./${basename(tarball)}`,
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
  const { status, body } = await person.send('POST', '/api/auth/tokens', { name: 'Script', scopes })
  assert.equal(status, 201, JSON.stringify(body))
  return body.token
}

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
