import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readingOf } from '../../../test/oauth/plain-browser.ts'
import { problem } from '../../platform/http/problem.ts'
import { errorPage } from '../../server-pages/error-page.ts'
import { AuthorizeError, authorizeErrors } from './authorize-error.ts'
import { describeError } from './authorize-error-page.ts'

test('every error page says what happened, who can fix it, and the request id', () => {
  const pages = Object.keys(authorizeErrors).map((code) => new AuthorizeError(code as keyof typeof authorizeErrors))
  for (const error of [...pages, problem('internal_error'), problem('malformed_request')]) {
    const violation = describeError(error, 'en')
    const { status, main } = errorPage(violation, 'the-request-id')
    assert.ok(status >= 400)
    const reading = readingOf({ text: main.markup })
    assert.match(reading, /^.{10,} (You|The app’s developer|The administrator of this service) can fix this .{10,}/)
    assert.ok(reading.endsWith('Request ID: the-request-id'))
  }
})

test('errors of the service name the administrator, errors of a request the visitor', () => {
  assert.equal(describeError(problem('unavailable'), 'en').fixer, 'administrator')
  assert.equal(describeError(problem('unavailable'), 'en').status, 503)
  assert.equal(describeError(problem('internal_error'), 'en').status, 500)
  assert.equal(describeError(problem('address_too_long'), 'en').fixer, 'visitor')
})

test('every error has its own text in every language, without English left in it', () => {
  for (const language of ['de', 'hi', 'ar'] as const) {
    for (const code of Object.keys(authorizeErrors) as (keyof typeof authorizeErrors)[]) {
      const own = describeError(new AuthorizeError(code), language)
      const english = describeError(new AuthorizeError(code), 'en')
      assert.notEqual(own.title, english.title, `${language} ${code}`)
      assert.notEqual(own.happened, english.happened, `${language} ${code}`)
      assert.notEqual(own.advice, english.advice, `${language} ${code}`)
    }
    for (const problemCode of ['unavailable', 'too_many_requests', 'malformed_request'] as const) {
      const own = describeError(problem(problemCode), language)
      assert.notEqual(own.happened, describeError(problem(problemCode), 'en').happened, `${language} ${problemCode}`)
    }
  }
})
