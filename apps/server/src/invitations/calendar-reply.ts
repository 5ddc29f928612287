import { hash } from 'node:crypto'
import type { readCalendar } from '@parley/contract'
import type { HandlerContext } from '../access/serve.ts'
import { matchesEtag } from '../platform/http/static-file.ts'

type Context = HandlerContext<typeof readCalendar>

/** Send a calendar with its ETag, or 304 when the client already has it. Only the client itself may cache it. */
export function replyWithCalendar(
  text: string,
  { ifNoneMatch }: Pick<Context['request'], 'ifNoneMatch'>,
  answer: Context['answer'],
): string {
  const tag = hash('sha256', text, 'base64url').slice(0, 22)
  answer.header('etag', `"${tag}"`)
  answer.header('cache-control', 'private, no-cache')
  if (!matchesEtag(ifNoneMatch, tag)) return text
  answer.status(304)
  return ''
}
