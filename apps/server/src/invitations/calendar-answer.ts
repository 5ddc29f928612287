import { hash } from 'node:crypto'
import type { readCalendar } from '@parley/contract'
import type { HandlerContext } from '../access/serve.ts'
import { isHeld } from '../platform/http/static-file.ts'

type Told = HandlerContext<typeof readCalendar>

/** A calendar with its tag; nothing but the tag for those who have it already. Kept by nobody but the person's program. */
export function answerCalendar(
  text: string,
  { ifNoneMatch }: Pick<Told['request'], 'ifNoneMatch'>,
  answer: Told['answer'],
): string {
  const tag = hash('sha256', text, 'base64url').slice(0, 22)
  answer.header('etag', `"${tag}"`)
  answer.header('cache-control', 'private, no-cache')
  if (!isHeld(ifNoneMatch, tag)) return text
  answer.status(304)
  return ''
}
