import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseEnv, promisify } from 'node:util'
import { readConfig } from '../../apps/server/src/platform/config/config.ts'
import { runService } from '../../apps/server/test/processes/run-service.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root })
const withoutBlocks = (text: string) => text.replaceAll(/^```[\s\S]*?^```$/gm, '')

test('every link leads to an existing page and heading', () => {
  const broken = pages.flatMap((page) =>
    [...withoutBlocks(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      // What begins with a slash is a page that the service generates; the tests of the served pages follow those.
      .filter((target) => !/^(https?:|mailto:|\/)/.test(target) && !leadsSomewhere(page, target))
      .map((target) => `${page}: ${target}`),
  )
  assert.deepEqual(broken, [])
})

test('no page has what a merge left behind', () => {
  const marked = pages.filter((page) => /^(<{7}|={7}|>{7})(?: |$)/m.test(read(page)))
  assert.deepEqual(marked, [])
})

/** What a command writes, and git ignores. */
const written = ['examples/bruno']

test('every file that a page names by its path exists', () => {
  const path =
    /`((?:apps|bench|docs|e2e|examples|packages|scripts|test|\.ci)\/[\w./-]+|[\w-]+\.(?:md|yaml)|\.env\.example)`/g
  const missing = pages.flatMap((page) =>
    [...read(page).matchAll(path)]
      .map(([, named = '']) => named)
      .filter((named) => !written.includes(named))
      .filter(
        (named) => ![root, join(root, 'docs'), join(root, dirname(page))].some((at) => existsSync(join(at, named))),
      )
      .map((named) => `${page}: ${named}`),
  )
  assert.deepEqual(missing, [])
})

/** Names in backticks on their own: an identifier, possibly called, or a file. */
const namedSymbols = (page: string) =>
  [...withoutBlocks(read(page)).matchAll(/`([A-Za-z_$][\w$]*(?:\(\))?|[a-z][\w.-]*\.tsx?)`/g)].map(
    ([, named = '']) => named,
  )

test('every symbol and file that the README or a page for contributors names is in the source', () => {
  const sources = globSync('{packages,apps,bench,e2e,scripts,test,examples}/**/*.{ts,tsx,js,sql,json}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**', '**/dist.*/**'],
  })
  const words = new Set(sources.flatMap((file) => read(file).match(/[A-Za-z_$][\w$]*/g) ?? []))
  const fileNames = new Set(sources.map((file) => basename(file)))
  const missing = ['README.md', 'docs/architecture.md', 'docs/glossary.md', 'CONTRIBUTING.md'].flatMap((page) =>
    namedSymbols(page)
      .filter((named) => !words.has(named.replace('()', '')) && !fileNames.has(named))
      .map((named) => `${page}: ${named}`),
  )
  assert.deepEqual(missing, [])
})

test('the tree of docs/architecture.md names every module and folder of the source, and no other module', () => {
  const tree = read('docs/architecture.md').split('```')[1] ?? ''
  const named = new Set(tree.match(/[\w.-]+/g) ?? [])
  const modules = globSync(['apps/{server,web}/src/*/', 'packages/*/src/*/'], { cwd: root })
  const folders = globSync('apps/server/src/*/*/', { cwd: root })
  const unnamed = [...modules, ...folders].filter((folder) => !named.has(basename(folder)))
  assert.deepEqual(unnamed, [])
  const paths = [...tree.matchAll(/^ {2}src\/([\w.-]+)/gm)].map(([, path = '']) => `apps/server/src/${path}`)
  assert.ok(paths.length > 15, `${paths.length} modules`)
  assert.deepEqual(
    paths.filter((path) => !existsSync(join(root, path))),
    [],
  )
})

test('every decision has a date and a status', () => {
  const undated = globSync('docs/decisions/[0-9]*.md', { cwd: root }).filter(
    (page) => !/^\d{4}-\d\d-\d\d, (accepted|superseded by \d{4})\./m.test(read(page)),
  )
  assert.deepEqual(undated, [])
})

test('the index of decisions lists each decision, and decisions are cited by four digits', () => {
  const index = [...read('docs/decisions/README.md').matchAll(/\]\((\d{4}-[\w-]+\.md)\)/g)].map(([, file]) => file)
  assert.deepEqual(
    index,
    globSync('docs/decisions/[0-9]*.md', { cwd: root })
      .map((page) => basename(page))
      .sort(),
  )
  const short = pages.filter((page) => /\b[dD]ecision \d{1,3}\b/.test(read(page)))
  assert.deepEqual(short, [])
})

test('every npm script that a page names can be run', () => {
  const { scripts } = JSON.parse(read('package.json'))
  const missing = pages.flatMap((page) =>
    [...read(page).matchAll(/\bnpm (?:run ([a-z][\w:-]*)|(start|test)\b)/g)]
      .map(([, run, short]) => run ?? short ?? '')
      .filter((name) => !Object.hasOwn(scripts, name))
      .map((name) => `${page}: ${name}`),
  )
  assert.deepEqual(missing, [])
})

test('.env.example names exactly the variables that are read, with their default values', () => {
  const readNames = new Set<string>()
  const recorder = new Proxy<Record<string, string>>(
    {},
    {
      get: (_, name) => {
        readNames.add(String(name))
        return undefined
      },
    },
  )
  const byDefault = readConfig(recorder)
  const example = parseEnv(read('.env.example'))
  // For each secret, NAME_FILE is read as well, which the page states once for all.
  const ofFiles = [...readNames].filter(
    (name) => name.endsWith('_FILE') && readNames.has(name.slice(0, -'_FILE'.length)),
  )
  assert.deepEqual(Object.keys(example).toSorted(), [...readNames].filter((name) => !ofFiles.includes(name)).toSorted())
  assert.deepEqual(readConfig(example), byDefault)
  const blocks = read('.env.example').trim().split('\n\n').slice(1)
  for (const block of blocks) assert.match(block, /^# .+\n[A-Z_]+=.*$/)

  const sentence = /^# (.*) can be given as files/m.exec(read('.env.example'))?.[1] ?? ''
  const named = [...sentence.matchAll(/[A-Z_]+/g)].map(([name]) => `${name}_FILE`)
  assert.deepEqual(named.toSorted(), ofFiles.toSorted())
})

test('all commands of the README and of the guides to meetings and copies succeed, from top to bottom', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-readme-'))
  // This test has already performed the steps that come before the service runs.
  const steps = [
    ...shellBlocks(read('README.md')),
    ...shellBlocks(read('docs/meetings.md')),
    // A stream that was read far enough is closed, which its curl reports as a failure.
    'set +o pipefail',
    ...shellBlocks(read('docs/keep-a-copy.md')),
  ].filter((block) => !/^(npm|git) /.test(block))
  assert.ok(steps.length >= 6, 'an account, a series, its dates, changes of one and of following ones, a cancellation')

  const service = await runService(t, { environment: { DATA_DIR: dataDir } })
  // Hooks run in the order of their registration: the service, which writes mails into the folder, has ended by then.
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  const [setUpCode = ''] = service.setUpCodes()
  const script = [strictCurl, ...steps]
    .join('\n')
    .replaceAll('http://localhost:3000', service.base)
    .replaceAll('7K3M-Q0XD-9ZTA-4HWE', setUpCode)
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: dataDir,
    timeout: 60_000,
  })
  const answers = stdout.split('\n').filter((line) => line !== '')
  for (const answer of answers) assert.doesNotThrow(() => JSON.parse(answer), answer)
  assert.ok(answers.length > 0, 'Nothing was shown')
})

test('the web SDK page shows code of the example, which a story runs', () => {
  const example = read('examples/join/main.ts')
  const blocks = [...read('docs/web-sdk.md').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  assert.ok(blocks.length >= 3)
  for (const block of blocks) assert.ok(example.includes(block), block)
})

/** The README's curl does not fail on an error status; here, such a status ends the script. */
const strictCurl = `curl() { command curl --fail-with-body --max-time 20 --write-out '\\n' "$@"; }`

const shellBlocks = (text: string): string[] =>
  [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, block = '']) => block.trim())

function leadsSomewhere(page: string, target: string): boolean {
  const [path = '', heading] = target.split('#')
  const file = path === '' ? page : join(dirname(page), decodeURI(path))
  if (!existsSync(join(root, file))) return false
  return heading === undefined || headingsOf(read(file)).includes(heading)
}

/** Anchors as Markdown viewers form them: lower case, without punctuation, dashes for spaces. */
const headingsOf = (text: string): string[] =>
  [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
