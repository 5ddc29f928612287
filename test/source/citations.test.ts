import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const exclude = ['**/node_modules/**', '**/dist/**', '**/dist.*/**']
const sources = globSync('{packages,apps,bench,e2e,examples,scripts,test}/**/*.{ts,tsx}', { cwd: root, exclude })
const pages = globSync('docs/**/*.md', { cwd: root })
const documents = globSync('{*,.github/**/*,apps/**/*,bench/**/*,docs/**/*,examples/**/*,packages/**/*}.md', {
  cwd: root,
  exclude,
})
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8')

const fileNames = new Set(sources.map((file) => basename(file)))
const headings = new Map(pages.map((page) => [page, headingsOf(read(page))]))

function headingsOf(page: string): Set<string> {
  const lines = page.split('\n').filter((line) => line.startsWith('#'))
  return new Set(lines.map((line) => line.replace(/^#+ /, '').replaceAll(/[`*]/g, '').trim()))
}

/** The comments of a source, each line joined with the next. */
const commentsOf = (source: string) =>
  (source.match(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/[^\n]*/g) ?? []).join('\n').replaceAll(/\n\s*\*\s*/g, ' ')

/** The names of source files in a text that no source file has; names with a placeholder, as `{noun}-store.ts`, are none. */
const findMissingFiles = (text: string): string[] =>
  [...text.matchAll(/(?<![\w/.@{}*<-])[A-Za-z][\w-]*(?:\/[\w-]+)*(?:\.[a-z]+)*\.tsx?\b/g)]
    .map(([file]) => file)
    .filter((file) => !fileNames.has(basename(file)))

/**
 * What a comment cites and a reader cannot look up: a missing heading, decision or file, a decision without its number,
 * or a page outside the repository.
 */
function findDangling(comments: string): string[] {
  const cited = [...comments.matchAll(/(docs\/[\w/-]+\.md),? "([^"]+)"/g)]
  const decisions = [...comments.matchAll(/(?:docs\/decisions\/|[Dd]ecision )(\d{4})/g)].map(([, number]) => number)
  return [
    ...cited.filter(([, page = '', heading = '']) => !headings.get(page)?.has(heading)).map(([citation]) => citation),
    ...findMissingFiles(comments),
    ...decisions.filter((number) => !pages.some((page) => page.startsWith(`docs/decisions/${number}`))).map(String),
    ...(comments.match(/docs\/decisions\b(?!\/\d{4}\b)[^.)]*/g) ?? []),
    ...(comments.match(/\b(?:service|meetings|rooms|oauth|notifications|agents|operations)\.md \d[.\d]*/g) ?? []),
  ]
}

test('every file, heading and decision that a comment cites is in the repository', () => {
  const dangling = sources.flatMap((file) =>
    findDangling(commentsOf(read(file))).map((citation) => `${file}: ${citation}`),
  )
  assert.deepEqual(dangling, [])
})

test('every source file that a document or a text of the product names is in the repository', () => {
  // Tests and scripts invent files; what they import, the compiler checks.
  const product = sources.filter(
    (file) => /^(packages|apps)\/[\w-]+\/src\//.test(file) && !/\.(test|story)\./.test(file),
  )
  const missing = [...documents, ...product].flatMap((file) =>
    findMissingFiles(read(file)).map((named) => `${file}: ${named}`),
  )
  assert.deepEqual(missing, [])
})

test('finds citations that do not resolve, and no others', () => {
  for (const comment of [
    'docs/oauth.md, "No such heading"',
    'no-such-file.ts',
    'page/NoSuchPage.tsx',
    'no-such-file.test.ts',
    'decision 9999',
    'docs/decisions, web stack',
    'oauth.md 4',
  ]) {
    assert.equal(findDangling(comment).length, 1, comment)
  }
  for (const comment of [
    'docs/architecture.md, "Where to look"',
    'citations.test.ts',
    'decision 0014',
    'docs/decisions/0009',
  ]) {
    assert.deepEqual(findDangling(comment), [], comment)
  }
})
