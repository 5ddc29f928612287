import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyReason, sentReasons, suggestedReasons } from './suggested-reasons.ts'

test('suggests each failed check as a reason, but no passed or noted ones', () => {
  const reasons = suggestedReasons([
    { check: 'page_answers', field: 'homepageUrl', result: 'failed', message: 'The page answers 404.' },
    { check: 'denied_host', field: 'callbackUrls/1', result: 'failed', message: 'The host is denied.' },
    { check: 'plain_http', field: 'callbackUrls/0', result: 'noted', message: 'This address is http.' },
    { check: 'look_alike_name', field: 'name', result: 'passed', message: 'No other app is called so.' },
  ])
  assert.deepEqual(reasons, [
    { code: 'invalid_url', field: 'homepageUrl', text: 'The page answers 404.' },
    { code: 'malicious_url', field: 'callbackUrls/1', text: 'The host is denied.' },
  ])
})

test('starts with an empty reason, which is not sent, when no check failed', () => {
  assert.deepEqual(suggestedReasons([]), [emptyReason])
  assert.deepEqual(sentReasons([emptyReason, { code: 'other', field: '', text: ' It is a copy. ' }]), [
    { code: 'other', text: 'It is a copy.' },
  ])
})
