import { ProblemError } from '@parley/client'
import type { Texts } from '@parley/texts/nouns'
import { useTranslation } from 'react-i18next'

/** Retry-After, when the response has it (RFC 9110, 10.2.3). */
const secondsToWait = ({ headers }: ProblemError) => Number(headers.get('retry-after') ?? '1') || 1

type Written = Exclude<keyof Texts['problems'], `too_many_requests_${string}`>

/** Describe an error for the user: what happened, and what to do about it. */
export function useProblemWords(): (error: unknown) => string {
  const { t, i18n } = useTranslation('problems')
  const isWritten = (code: string): code is Written => i18n.exists(code, { ns: 'problems' })
  return (error) => {
    // `fetch` throws a TypeError when there is no response.
    if (!(error instanceof ProblemError)) return error instanceof TypeError ? t('noConnection') : t('unknown')
    const { code, status } = error.problem
    if (code === 'too_many_requests') return t('too_many_requests', { count: secondsToWait(error) })
    if (isWritten(code)) return t(code)
    // The detail is for programs: it names headers and fields, in English.
    return t(status >= 500 ? 'unavailable' : 'unknown')
  }
}
