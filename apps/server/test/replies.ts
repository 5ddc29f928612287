import assert from 'node:assert/strict'
import { type ProblemCode, problems } from '@parley/contract'
import type { Answer } from './people.ts'

/** Expect a success, and return its body. A failure of the assertion shows the whole reply. */
export async function expectOk(answering: Answer | Promise<Answer>, status = 200) {
  const answer = await answering
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  return answer.body
}

/**
 * Expect a problem with the status that the catalogue gives its code, and return its body.
 * @param violations the pointers and codes of the refused fields, in any order: `['/name too_long']`
 */
export async function expectProblem(
  answering: Answer | Promise<Answer>,
  code: ProblemCode,
  violations?: readonly string[],
) {
  const { status, body } = await answering
  assert.deepEqual([status, body?.code], [problems[code].status, code], JSON.stringify(body))
  if (violations !== undefined) {
    const errors: { path: string; code: string }[] = body.errors ?? []
    const listed = errors.map((error) => `${error.path} ${error.code}`)
    assert.deepEqual(listed.toSorted(), violations.toSorted(), JSON.stringify(body))
  }
  return body
}
