import assert from 'node:assert/strict'
import { type ProblemCode, problems } from '@parley/contract'
import type { Answer } from './people.ts'

/** A reply, or the undefined of a `find` among replies, which is never what a test expects. */
type Reply = Pick<Answer, 'status' | 'body'> | undefined

/** Expect a success, and return its body. A failure of the assertion shows the whole reply. */
export async function expectOk(replying: Reply | Promise<Reply>, status = 200): Promise<Answer['body']> {
  const reply = await replying
  assert.equal(reply?.status, status, JSON.stringify(reply?.body))
  return reply?.body
}

/**
 * Expect a problem with the status that the catalogue gives its code, and return its body.
 * @param violations the pointers and codes of the refused fields, in any order: `['/name too_long']`
 */
export async function expectProblem(
  replying: Reply | Promise<Reply>,
  code: ProblemCode,
  violations?: readonly string[],
): Promise<Answer['body']> {
  const reply = await replying
  const body = reply?.body
  assert.deepEqual([reply?.status, body?.code], [problems[code].status, code], JSON.stringify(body))
  if (violations !== undefined) {
    const errors: { path: string; code: string }[] = body.errors ?? []
    const listed = errors.map((error) => `${error.path} ${error.code}`)
    assert.deepEqual(listed.toSorted(), violations.toSorted(), JSON.stringify(body))
  }
  return body
}

/** Expect a refusal as RFC 6749, 5.2 describes it, which no cache stores, and return its body. */
export async function expectOauthError(
  replying: Answer | Promise<Answer>,
  error: string,
  status = error === 'invalid_client' ? 401 : 400,
): Promise<Answer['body']> {
  const { body, headers, ...reply } = await replying
  assert.deepEqual([reply.status, body?.error], [status, error], JSON.stringify(body))
  assert.match(body.error_description, /^[\x20-\x7e]+$/)
  assert.deepEqual(Object.keys(body).toSorted(), ['error', 'error_description', 'request_id'])
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.match(String(headers.get('content-type')), /^application\/json/)
  return body
}
