import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Unreadable } from './found-entry.ts'
import { parseCsv } from './parse-csv.ts'

const cellsOf = (text: string) => parseCsv(text).map(({ cells }) => cells)

test('cells in quotation marks hold separators, quotation marks and lines', () => {
  assert.deepEqual(cellsOf('a,b\r\n"1,2","say ""hi"""\r\n'), [
    ['a', 'b'],
    ['1,2', 'say "hi"'],
  ])
  assert.deepEqual(parseCsv('a,b\n"two\nlines",2\n3,4'), [
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['two\nlines', '2'] },
    { line: 4, cells: ['3', '4'] },
  ])
  assert.deepEqual(cellsOf('a,"",c'), [['a', '', 'c']])
})

test('semicolons and tabs separate where the first line has more of them', () => {
  assert.deepEqual(cellsOf('a;b\n1,5;2'), [
    ['a', 'b'],
    ['1,5', '2'],
  ])
  assert.deepEqual(cellsOf('a\tb\n1\t2'), [
    ['a', 'b'],
    ['1', '2'],
  ])
})

test('empty rows are left out, and an empty file has none', () => {
  assert.deepEqual(cellsOf('a,b\n\n,\n1,2\n\n'), [
    ['a', 'b'],
    ['1', '2'],
  ])
  assert.deepEqual(cellsOf(''), [])
})

test('a quotation mark that is never closed is named by its line', () => {
  assert.throws(() => parseCsv('a,b\n1,"2\n3'), new Unreadable('The quotation mark on line 2 is never closed.'))
})
