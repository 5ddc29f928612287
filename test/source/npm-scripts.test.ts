import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { unlessNamed } from '../../scripts/select-test-files.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: Record<string, string> }

/** The words of a script's text that hold a pattern of files, each with its quotes. */
const patternsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word.includes('*'))

const withoutQuotes = (pattern: string) => pattern.replaceAll("'", '')

test('the patterns of npm scripts are quoted, because the shell of npm expands ** as it does *', () => {
  const unquoted = Object.entries(scripts).flatMap(([name, text]) =>
    patternsOf(text)
      .filter((pattern) => !/^'[^']+'$/.test(pattern))
      .map((pattern) => `${name}: ${pattern}`),
  )
  assert.deepEqual(unquoted, [])
})

test('a script with patterns runs only the files that its user names, if any', () => {
  const running = Object.entries(scripts).filter(([, text]) => patternsOf(text).length > 0)
  assert.ok(running.length > 1)
  const ignoring = running.filter(([, text]) => !text.endsWith(` ${unlessNamed}`)).map(([name]) => name)
  assert.deepEqual(ignoring, [])
})

for (const [script, suffix] of [
  ['stories', '.story.ts'],
  ['test:interop', '.interop.ts'],
] as const) {
  test(`npm run ${script} runs every file that ends in ${suffix}, and no other`, () => {
    const patterns = patternsOf(scripts[script] ?? '').map(withoutQuotes)
    assert.ok(patterns.length > 0)
    const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
    const ran = files.filter((file) => patterns.some((pattern) => matchesGlob(file, pattern)))
    assert.ok(ran.length > 0)
    assert.deepEqual(
      ran,
      files.filter((file) => file.endsWith(suffix)),
    )
  })
}
