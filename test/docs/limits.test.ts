import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { limitsPage } from '../../scripts/write-limits.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8')

const written = limitsPage()
const cellsOf = (row: string) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''))
const rows = written.split('\n').filter((line) => line.startsWith('|`'))
const limits = rows
  .map((row) => row.split('|'))
  .map(([, name = '', value = '']) => ({ name: name.slice(1, -1), value }))

/** The values of a limit by its name, or of all entries of a table by the table's name. */
function valuesOf(name: string): string[] {
  const found = limits.filter((limit) => limit.name === name || limit.name.startsWith(`${name}.`))
  assert.ok(found.length > 0, `docs/limits.md has no ${name}`)
  return found.map(({ value }) => value)
}

/** A value as sentences may have it: each number of a table's entry with its unit. */
const partsOf = (value: string) =>
  /^[a-z]/.test(value)
    ? [...value.matchAll(/\d(?:[\d,.]*\d)?(?: (?:ms|s|min|h|d|KiB|MiB|bytes)\b)?/g)].map(String)
    : [value]

const documents = ['SECURITY.md', ...globSync('docs/*.md', { cwd: root })].filter((file) => file !== 'docs/limits.md')
const namesIn = (text: string) => [...text.matchAll(/`([a-z]\w*(?:\.\w+)?)`/g)].map(([, name = '']) => name)

test('docs/limits.md has the limits of the source', async () => {
  if (process.env.UPDATE_SNAPSHOTS === '1') await writeFile(`${root}docs/limits.md`, written)
  assert.equal(read('docs/limits.md'), written, 'UPDATE_SNAPSHOTS=1 npm test -- test/docs/limits.test.ts writes it')
})

test('the limits that documents name are those of the source', () => {
  for (const file of documents) {
    for (const name of namesIn(read(file))) if (/(?:Limits|Rates)(?:\.|$)/.test(name)) valuesOf(name)
  }
})

test('a table of limits in a document has the values of the source', () => {
  let checked = 0
  for (const file of documents) {
    for (const table of read(file).matchAll(/^\|.*\| limits? \|\n\|[-|]+\n((?:\|.*\n)+)/gm)) {
      for (const row of (table[1] ?? '').trimEnd().split('\n')) {
        const cells = cellsOf(row)
        for (const name of namesIn(cells.at(-1) ?? '')) {
          const values = valuesOf(name)
          // A table of two columns names the limits, without their numbers.
          if (cells.length < 3) continue
          checked += 1
          const stated = values.some((value) => partsOf(value).every((part) => part === '0' || row.includes(part)))
          assert.ok(stated, `${file}: ${name} is ${values.join(' or ')}: ${row}`)
        }
      }
    }
  }
  assert.ok(checked > 15, String(checked))
})

/** What a developer has to know of limits to call the API, in sentences of the pages for developers. */
const sentences: [sentence: string, name: string, value: string][] = [
  ['Bodies are JSON, at most 1 MiB', 'httpLimits.bodyBytes', '1 MiB'],
  ['A URL has at most 14,336 characters', 'httpLimits.addressCharacters', '14,336'],
  ['at most 24 KiB together with all headers', 'httpLimits.headerBytes', '24 KiB'],
  ['have at most 8,192 characters', 'maxValueLength', '8,192'],
  ['or 1,000 (the others)', 'maxPreferenceLength', '1,000'],
  ['(JSON Pointers, at most 100)', 'maxUnknownFields', '100'],
  ['`Idempotency-Key` (1 to 255 characters)', 'maxKeyLength', '255'],
  ['One user may cause 5,000 emails within 24 hours', 'maxMailsADay', '5,000'],
  ['(200 on the account', 'maxMailsOnFirstDay', '200'],
  ['30 emails to one address', 'maxMailsToOneAddress', '30'],
  ['(10 on the first day)', 'maxMailsToOneAddressOnFirstDay', '10'],
  ['all users together 200', 'maxMailsToAddressADay', '200'],
  ['in a range of at most 100 days', 'maxRangeMs', '100 d'],
  ['an interval of at most 31 days', 'maxIntervalMs', '31 d'],
  ['at most 50 of them', 'maxConflicts', '50'],
  ['1,000 people can wait for one meeting', 'maxWaitingPeople', '1,000'],
  ['An account may have 32 streams open', 'maxStreams.account', '32'],
  ['at most 500 hosts', 'maxBlockedSenders', '500'],
  ['at most 1,000 meetings', 'maxFeedMeetings', '1,000'],
  ['A feed has at most 5 MB and 10,000 events', 'feedLimits', '10,000'],
  ['characters of an address | 2,000', 'maxWebhookUrlLength', '2,000'],
  ['all that failed; at most 10,000', 'maxResent', '10,000'],
]

test('the pages for developers state limits with the values of the source', () => {
  const pages = ['api-conventions', 'meetings', 'rooms', 'webhooks'].map((page) => read(`docs/${page}.md`)).join('\n')
  for (const [sentence, name, value] of sentences) {
    assert.ok(pages.includes(sentence), `in no page for developers: ${sentence}`)
    const values = valuesOf(name).flatMap((all) => [all, ...partsOf(all)])
    assert.ok(values.includes(value), `${name} is ${values.join(' or ')}: ${sentence}`)
  }
})

test('rates of floods and guesses stand in docs/limits.md, and not in pages that describe them', () => {
  const rate = /\d[\d,]* (?:in (?:an hour|\w+ (?:minutes|hours|min|h))|an hour|a minute|a day|times in)\b/
  for (const file of ['SECURITY.md', 'docs/api-conventions.md']) assert.doesNotMatch(read(file), rate, file)
})
