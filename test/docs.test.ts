import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseEnv, promisify } from 'node:util'
import { readConfig } from '../apps/server/src/platform/config/config.ts'
import { runService } from '../apps/server/test/processes/run-service.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root })
const withoutBlocks = (text: string) => text.replaceAll(/^```[\s\S]*?^```$/gm, '')

test('every link leads to a page that is there, and to a heading that stands in it', () => {
  const broken = pages.flatMap((page) =>
    [...withoutBlocks(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^(https?|mailto):/.test(target) && !leadsSomewhere(page, target))
      .map((target) => `${page}: ${target}`),
  )
  assert.deepEqual(broken, [])
})

test('every file that a page names by its path is there', () => {
  const path =
    /`((?:apps|bench|docs|e2e|examples|packages|scripts|test|\.ci)\/[\w./-]+|[\w-]+\.(?:md|yaml)|\.env\.example)`/g
  const missing = pages.flatMap((page) =>
    [...read(page).matchAll(path)]
      .map(([, named = '']) => named)
      .filter(
        (named) => ![root, join(root, 'docs'), join(root, dirname(page))].some((at) => existsSync(join(at, named))),
      )
      .map((named) => `${page}: ${named}`),
  )
  assert.deepEqual(missing, [])
})

test('every decision has a date and a status', () => {
  const undated = globSync('docs/decisions/*.md', { cwd: root }).filter(
    (page) => !/^\d{4}-\d\d-\d\d, (accepted|superseded by \d{4})\./m.test(read(page)),
  )
  assert.deepEqual(undated, [])
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

test('.env.example names exactly what is read, with the values that hold without it', () => {
  const asked = new Set<string>()
  const listening = new Proxy<Record<string, string>>(
    {},
    {
      get: (_, name) => {
        asked.add(String(name))
        return undefined
      },
    },
  )
  const byDefault = readConfig(listening)
  const example = parseEnv(read('.env.example'))
  // Of a secret, NAME_FILE is read as well; the page says so in one sentence.
  const ofFiles = [...asked].filter((name) => name.endsWith('_FILE') && asked.has(name.slice(0, -'_FILE'.length)))
  assert.deepEqual(Object.keys(example).toSorted(), [...asked].filter((name) => !ofFiles.includes(name)).toSorted())
  assert.deepEqual(readConfig(example), byDefault)

  const sentence = /^# (.*) can be given as files/m.exec(read('.env.example'))?.[1] ?? ''
  const named = [...sentence.matchAll(/[A-Z_]+/g)].map(([name]) => `${name}_FILE`)
  assert.deepEqual(named.toSorted(), ofFiles.toSorted())
})

test('a newcomer who follows the README from top to bottom gets there', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-readme-'))
  // What they do before there is a service is what this test does, too.
  const steps = shellBlocks(read('README.md')).filter((block) => !/^npm (install|start|test|run)\b/.test(block))
  assert.ok(steps.length >= 4, 'The README shows how to make an account, a meeting, its dates, and cancel one')

  const service = await runService(t, { environment: { DATA_DIR: dataDir } })
  // Hooks run in the order in which they were made: by now the service, which writes mails into the folder, has ended.
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  const script = [strictCurl, ...steps].join('\n').replaceAll('http://localhost:3000', service.base)
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: dataDir,
    timeout: 60_000,
  })
  const answers = stdout.split('\n').filter((line) => line !== '')
  for (const answer of answers) assert.doesNotThrow(() => JSON.parse(answer), answer)
  assert.ok(answers.length > 0, 'Nothing was shown')
})

test('what the page of the web SDK shows is the example, which a story runs', () => {
  const example = read('examples/join/main.ts')
  const blocks = [...read('docs/web-sdk.md').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  assert.ok(blocks.length >= 3)
  for (const block of blocks) assert.ok(example.includes(block), block)
})

/** The README's curl is quiet about refusals, as it should be; here each one ends the script. */
const strictCurl = `curl() { command curl --fail-with-body --max-time 20 --write-out '\\n' "$@"; }`

const shellBlocks = (text: string): string[] =>
  [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block.trim())

function leadsSomewhere(page: string, target: string): boolean {
  const [path = '', heading] = target.split('#')
  const file = path === '' ? page : join(dirname(page), decodeURI(path))
  if (!existsSync(join(root, file))) return false
  return heading === undefined || headingsOf(read(file)).includes(heading)
}

/** As the usual viewers of Markdown make anchors: in lower case, without punctuation, dashes for spaces. */
const headingsOf = (text: string): string[] =>
  [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
