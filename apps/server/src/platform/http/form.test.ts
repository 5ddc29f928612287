import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinForms, readForm, soleText, textOf, writeForm } from './form.ts'

const cases: readonly (readonly [string, Record<string, string[]>])[] = [
  ['', {}],
  ['&&', {}],
  ['a=1&b=2', { a: ['1'], b: ['2'] }],
  ['a=1&b=2&a=3', { a: ['1', '3'], b: ['2'] }],
  ['a', { a: [''] }],
  ['a=', { a: [''] }],
  ['=a', { '': ['a'] }],
  ['a=b=c', { a: ['b=c'] }],
  ['a=b+c%20d%2Be', { a: ['b c d+e'] }],
  ['%61=1', { a: ['1'] }],
  ['a=%zz%4&b=%', { a: ['%zz%4'], b: ['%'] }],
  ['a=%00%ff%C3%A9', { a: ['\0\xff\xc3\xa9'] }],
  ['a=\xc3\xa9', { a: ['\xc3\xa9'] }],
  [
    '__proto__=1&constructor=2',
    Object.fromEntries([
      ['__proto__', ['1']],
      ['constructor', ['2']],
    ]),
  ],
]
for (const [sent, fields] of cases) {
  test(`the form '${sent}'`, () => assert.deepEqual(Object.fromEntries(readForm(sent)), fields))
}

test('writes a form so that it reads the same, byte for byte', () => {
  for (const [sent] of cases) assert.deepEqual(readForm(writeForm(readForm(sent))), readForm(sent), sent)
  assert.equal(writeForm(readForm('a=b+c&a=%C3%A9%00&next=/x?y=z%26')), 'a=b%20c&a=%C3%A9%00&next=%2Fx%3Fy%3Dz%26')
})

test('reads bytes as text where they are UTF-8', () => {
  assert.equal(textOf('\xc3\xa9'), 'é')
  assert.equal(textOf('\xff'), undefined)
  assert.equal(textOf(''), '')
})

test('a field has one text, or none', () => {
  const form = readForm('one=%C3%A9&two=1&two=1&none=%ff&empty=')
  const read = ['one', 'two', 'none', 'empty', 'absent'].map((name) => soleText(form, name))
  assert.deepEqual(read, ['é', undefined, undefined, '', undefined])
})

test('a field in both of two forms occurs twice', () => {
  const joined = joinForms(readForm('a=1&b=2'), readForm('a=3&c=4'))
  assert.deepEqual(Object.fromEntries(joined), { a: ['1', '3'], b: ['2'], c: ['4'] })
})
