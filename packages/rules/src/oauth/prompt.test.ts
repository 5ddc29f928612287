import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPrompts } from './prompt.ts'

const cases: readonly (readonly [string, ReturnType<typeof readPrompts>])[] = [
  ['', []],
  ['none', ['none']],
  ['login', ['login']],
  ['consent', ['consent']],
  ['select_account', ['select_account']],
  ['login consent', ['login', 'consent']],
  ['consent  login', ['consent', 'login']],
  ['login login', ['login']],
  ['none none', ['none']],
  ['none login', undefined],
  ['consent none', undefined],
  ['create', undefined],
  ['login create', undefined],
  ['Login', undefined],
  ['login,consent', undefined],
]
for (const [text, prompts] of cases) {
  test(`prompt=${text}: ${prompts?.join(' and ') ?? 'refused'}`, () => assert.deepEqual(readPrompts(text), prompts))
}
