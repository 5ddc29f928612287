import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commonPasswords } from './common-passwords.ts'

test('the list holds the most common passwords, in lower case, and none below the minimum length', () => {
  assert.ok(commonPasswords.size > 10_000, `${commonPasswords.size}`)
  for (const common of ['password', 'password1', '12345678', 'qwertyuiop', 'iloveyou', 'changeme', 'p@ssw0rd']) {
    assert.ok(commonPasswords.has(common), common)
  }
  for (const fine of ['correct horse battery staple', 'tulip-8x']) assert.ok(!commonPasswords.has(fine), fine)
  for (const password of commonPasswords) {
    assert.equal(password, password.toLowerCase())
    assert.ok(password.length >= 8, password)
  }
})
