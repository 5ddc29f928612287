import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { selectTestFiles } from './select-test-files.ts'

const root = await mkdtemp(join(tmpdir(), 'parley-select-'))
after(() => rm(root, { recursive: true, force: true }))
for (const file of [
  'a.test.ts',
  'e2e/signs-in.story.ts',
  'e2e/meetings/adds.story.ts',
  'e2e/meetings/moves.story.ts',
]) {
  await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(join(root, file), '')
}
const select = (...commandLine: string[]) => selectTestFiles(root, commandLine, ['**/*.test.ts'])
const stories = (...names: string[]) => select('e2e/**/*.story.ts', '--unless-named', ...names)

test('runs the files of the script where none are named, with the options for the runner', () => {
  assert.deepEqual(select('--test-only'), {
    files: ['a.test.ts'],
    unmatched: [],
    isNamed: false,
    options: ['--test-only'],
  })
  const { files, isNamed, options } = stories('--test-name-pattern=x')
  assert.deepEqual(files.toSorted(), [
    'e2e/meetings/adds.story.ts',
    'e2e/meetings/moves.story.ts',
    'e2e/signs-in.story.ts',
  ])
  assert.deepEqual([isNamed, options], [false, ['--test-name-pattern=x']])
})

test('runs only the files that are named, by path, pattern or the beginning of paths', () => {
  assert.deepEqual(stories('e2e/signs-in.story.ts').files, ['e2e/signs-in.story.ts'])
  assert.deepEqual(select('e2e/signs-in.story.ts', 'e2e/*.story.ts').files, ['e2e/signs-in.story.ts'])
  assert.deepEqual(stories('e2e/meetings/a').files, ['e2e/meetings/adds.story.ts'])
  assert.deepEqual(stories('e2e/meetings').files.toSorted(), [
    'e2e/meetings/adds.story.ts',
    'e2e/meetings/moves.story.ts',
  ])
  assert.deepEqual(stories('e2e/meetings/*.ts', 'a.test.ts').files.length, 3)
  assert.equal(stories('e2e/meetings').isNamed, true)
})

test('reports names that match no file', () => {
  const { files, unmatched } = stories('e2e/signs-in.story.ts', 'e2e/signs-out.story.ts', 'a.tes')
  assert.deepEqual([files, unmatched], [['e2e/signs-in.story.ts'], ['e2e/signs-out.story.ts', 'a.tes']])
})
