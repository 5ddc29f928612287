import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { signUp, standUp } from '../apps/server/test/people.ts'
import { buildWebWhenStale, builtPages } from '../scripts/build-web.ts'
import { between, dayMs, hourMs, scheduleQuietly } from './meetings/meetings.ts'
import { startStory } from './start-story.ts'

/** The budget of what a phone loads before it shows the meetings. */
const maxGzippedBytes = 190 * 1024
/** Each takes a request. */
const maxFiles = 25

/** The budget of what a guest loads before the lobby; with styles, fonts and requests to the API, about 25 requests. */
const maxLobbyBytes = 200 * 1024
const maxLobbyFiles = 15

type Chunk = { file: string; imports?: string[] }

/** The files of these chunks, with all their static imports. */
async function filesOf(names: readonly string[]): Promise<ReadonlySet<string>> {
  await buildWebWhenStale()
  const manifest: Record<string, Chunk> = JSON.parse(await readFile(join(builtPages, 'manifest.json'), 'utf8'))
  const files = new Set<string>()
  const load = (name: string) => {
    const chunk = manifest[name]
    assert.ok(chunk, `${name} was built`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of chunk.imports ?? []) load(imported)
  }
  for (const name of names) load(name)
  return files
}

/** The size of these files, compressed one by one. */
async function measure(files: ReadonlySet<string>): Promise<{ total: number; count: number }> {
  const sizes = await Promise.all(
    [...files].map(async (file) => gzipSync(await readFile(join(builtPages, file))).length),
  )
  return { total: sizes.reduce((sum, size) => sum + size, 0), count: files.size }
}

const english = (noun: string) => `../../packages/texts/en/${noun}.json`
/** The texts that every page has. */
const englishOfEveryPage = '../../virtual:texts-by-language/en'

const filesOfMeetings = () =>
  filesOf(['index.html', 'src/meetings/list/MeetingsPage.tsx', englishOfEveryPage, english('meetings')])

const filesOfLobby = () =>
  filesOf([
    'index.html',
    'src/join/JoinPage.tsx',
    'src/app/PageFoot.tsx',
    englishOfEveryPage,
    english('join'),
    english('room'),
  ])

test('the lobby of a meeting is at most 200 KB of compressed JavaScript in 15 files', async (t) => {
  const { total, count } = await measure(await filesOfLobby())
  t.diagnostic(`${(total / 1024).toFixed(2)} KB in ${count} files`)
  assert.ok(total <= maxLobbyBytes, `${total} bytes`)
  assert.ok(count <= maxLobbyFiles, `${count} files`)
})

test('the first load of /meetings is at most 190 KB of compressed JavaScript in 25 files', async (t) => {
  const { total, count } = await measure(await filesOfMeetings())
  t.diagnostic(`${(total / 1024).toFixed(2)} KB in ${count} files`)
  assert.ok(total <= maxGzippedBytes, `${total} bytes`)
  assert.ok(count <= maxFiles, `${count} files`)
})

test('the types of events and their descriptions are fetched with the pages of webhooks', async () => {
  const isAbout = async (file: string) =>
    /meeting[._]occurrence[._]restored/.test(await readFile(join(builtPages, file), 'utf8'))
  const found = async (files: ReadonlySet<string>) => Promise.all([...files].map(isAbout))
  assert.ok((await found(await filesOf(['src/webhooks/WebhookPage.tsx', english('webhooks')]))).includes(true))
  assert.ok(!(await found(await filesOfMeetings())).includes(true))
})

test('what only dialogs need, and the streams, are fetched after the first load', async () => {
  const files = [...(await filesOfMeetings())]
  const sources = await Promise.all(files.map((file) => readFile(join(builtPages, file), 'utf8')))
  const partsOfLater = ['[data-autofocus]', 'ignoreBOM']
  for (const part of partsOfLater)
    assert.deepEqual(
      files.filter((_, at) => sources[at]?.includes(part)),
      [],
      part,
    )
  const later = await filesOf(['src/app/NavigationDrawer.tsx', 'src/app/follow-changes.ts'])
  const fetched = await Promise.all([...later].map((file) => readFile(join(builtPages, file), 'utf8')))
  for (const part of partsOfLater)
    assert.ok(
      fetched.some((source) => source.includes(part)),
      part,
    )
})

test('LiveKit’s client is fetched on joining, not on the join page', async () => {
  const onJoinPage = await filesOfLobby()
  const fetchedInside = [...(await filesOf(['../../packages/client/src/join/join.ts']))]
  const sources = await Promise.all(fetchedInside.map((file) => readFile(join(builtPages, file), 'utf8')))
  const livekit = fetchedInside.filter((_, at) => sources[at]?.includes('livekit'))
  assert.notDeepEqual(livekit, [])
  assert.deepEqual(
    livekit.filter((file) => onJoinPage.has(file)),
    [],
  )
})

test('the start page asks the server once for its data', async () => {
  const { app, openPage } = await startStory()
  await signUp(app, 'Olga')
  const [alice, bob] = [await signUp(app, 'Alice'), await signUp(app, 'Bob')]
  const when = between(dayMs, dayMs + hourMs)
  await scheduleQuietly(bob, standUp({ topic: 'Review', ...when, participants: [alice.email] }))
  const { page } = await openPage({ person: alice })
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.push(pathname)
  })
  await page.goto('/meetings')
  await page.getByRole('listitem').getByRole('link', { name: 'Review' }).waitFor()
  await page.getByRole('tab', { name: /^Invitations\s*1$/ }).waitFor()
  assert.deepEqual(asked, ['/api/start-page'])
  // A visitor is sent to sign in by the same answer.
  const visitor = await openPage()
  const askedByVisitor: string[] = []
  visitor.page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) askedByVisitor.push(pathname)
  })
  await visitor.page.goto('/meetings')
  await visitor.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  const ofFrame = ['/api/start-page', '/api/auth/session', '/api/service']
  assert.deepEqual(
    askedByVisitor.filter((path) => ofFrame.includes(path)),
    ['/api/start-page'],
  )
})
