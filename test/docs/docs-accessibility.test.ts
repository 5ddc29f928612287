import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)
const report = readFileSync(new URL('docs/accessibility.openacr.yaml', root), 'utf8')

/** WCAG 2.1, levels A and AA, with the names of the OpenACR catalogue. */
const criteria = [
  '1.1.1',
  '1.2.1',
  '1.2.2',
  '1.2.3',
  '1.2.4',
  '1.2.5',
  '1.3.1',
  '1.3.2',
  '1.3.3',
  '1.3.4',
  '1.3.5',
  '1.4.1',
  '1.4.2',
  '1.4.3',
  '1.4.4',
  '1.4.5',
  '1.4.10',
  '1.4.11',
  '1.4.12',
  '1.4.13',
  '2.1.1',
  '2.1.2',
  '2.1.4',
  '2.2.1',
  '2.2.2',
  '2.3.1',
  '2.4.1',
  '2.4.2',
  '2.4.3',
  '2.4.4',
  '2.4.5',
  '2.4.6',
  '2.4.7',
  '2.5.1',
  '2.5.2',
  '2.5.3',
  '2.5.4',
  '3.1.1',
  '3.1.2',
  '3.2.1',
  '3.2.2',
  '3.2.3',
  '3.2.4',
  '3.3.1',
  '3.3.2',
  '3.3.3',
  '3.3.4',
  '4.1.1',
  '4.1.2',
  '4.1.3',
]
/** Criteria that WCAG 2.2 adds. The catalogue lacks them, so they are in the notes. */
const added = ['2.4.11', '2.5.7', '2.5.8', '3.2.6', '3.3.7', '3.3.8']

test('the accessibility report covers every criterion of WCAG 2.2, levels A and AA', () => {
  const entries = report.split(/^ {6}- num: /m).slice(1)
  const listed = entries.map((entry) => /^"([\d.]+)"/.exec(entry)?.[1] ?? '')
  assert.deepEqual(listed.toSorted(), criteria.toSorted())
  for (const entry of entries) {
    assert.match(entry, /level: (supports|partially-supports|does-not-support|not-applicable)\n/)
    assert.match(entry, /notes: "[^"]+"/)
  }
  const notes = /^notes: (.*)$/m.exec(report)?.[1] ?? ''
  for (const criterion of added) assert.match(notes, new RegExp(`${criterion.replaceAll('.', '\\.')} .*?: .*?supports`))
})

test('every test and file that the report names exists', () => {
  const named = [...report.matchAll(/\b(?:apps|e2e)\/[\w./-]+\.(?:ts|css)\b/g)].map(([path]) => path)
  assert.ok(named.length > 20)
  assert.deepEqual(
    named.filter((path) => !existsSync(fileURLToPath(new URL(path, root)))),
    [],
  )
})
