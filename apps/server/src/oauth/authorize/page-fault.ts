import { problems } from '@parley/contract'
import type { Language } from '@parley/rules/text/language'
import type { ProblemError } from '../../platform/http/problem.ts'
import type { Fault } from '../../server-pages/fault-page.ts'
import { type PageFaultCode, pageFaults } from './page-fault-codes.ts'
import { pageTexts } from './page-texts/in-language.ts'

export type FaultContext = {
  /** In whose event log it is written. */
  client: { appId: string; sandbox: boolean }
  /** What exactly was wrong, where that is more than the page says. */
  cause?: string
  wayOn?: { address: string; text: 'signIn' | 'switchAccount' }
}

/** Thrown where it is found, shown in one place. */
export class PageFault extends Error {
  readonly code: PageFaultCode
  readonly context: FaultContext | undefined

  constructor(code: PageFaultCode, context?: FaultContext) {
    super(code)
    this.code = code
    this.context = context
  }
}

/** What an error of ours, or one of the server itself, says on a page. */
export function faultOf(error: PageFault | ProblemError, language: Language): Fault {
  const texts = pageTexts(language)
  if (error instanceof PageFault) return { ...pageFaults[error.code], ...texts.faults[error.code] }
  const { status, title } = problems[error.code]
  const ours = status >= 500
  const { happened = title, ...rest } = ours ? texts.ours : texts.theirs
  const told = error.code === 'too_many_requests' ? (texts.tooMany.happened ?? happened) : happened
  return { status, ...rest, happened: told, fixer: ours ? 'administrator' : 'visitor' }
}
