import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from './csv.ts'

const cases = [
  ['text', '"text"'],
  ['', '""'],
  ['a "b", c', '"a ""b"", c"'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', `"'=1+1"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@A1', `"'@A1"`],
  ['\t=1', `"'\t=1"`],
  ['\r=1', `"'\r=1"`],
  ['＝1', `"'＝1"`],
  ['1=1', '"1=1"'],
  ['a;=1+1;b', `"a;'=1+1;b"`],
  ['a;"=1+1&"', `"a;""'=1+1&""` + '"'],
  ['a;b-1', '"a;b-1"'],
  ['a;"b"-1', '"a;""b""-1"'],
] as const
for (const [text, cell] of cases) {
  test(`writes ${JSON.stringify(text)} as ${JSON.stringify(cell)}`, () => assert.equal(csvLine([text]), `${cell}\r\n`))
}

test('writes cells side by side in one line', () => assert.equal(csvLine(['a', 'b']), '"a","b"\r\n'))
