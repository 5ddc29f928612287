import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textsIn } from './texts.ts'

test('fills in a value as it is, also where it looks like a placeholder, a reference or markup', () => {
  for (const receiver of ['{{receiver}}', '$t(webhook-emails:open)', '$& $1', '<b>&amp;'])
    assert.equal(
      textsIn('en', 'webhook-emails')('states.disabled.subject', { receiver }),
      `Your webhook at ${receiver} was switched off`,
    )
})

test('refuses to leave a placeholder empty', () => {
  assert.throws(() => textsIn('en', 'webhook-emails')('states.disabled.subject'), /No value for {{receiver}}/)
})
