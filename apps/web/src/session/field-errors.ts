import { ProblemError } from '@parley/client'
import type { Texts } from '@parley/texts/nouns'
import { useTranslation } from 'react-i18next'

/** Convert a JSON Pointer to the form library's name: `/participants/0` (RFC 6901) becomes `participants.0`. */
export const fieldName = (path: string): string =>
  path
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')

/** The server's violations by form field in the reader's language, for `form.setErrors`. */
export function useFieldErrors(): (error: unknown) => Record<string, string> {
  const { t, i18n } = useTranslation('violations')
  return (error) => {
    const violations = (error instanceof ProblemError && error.problem.errors) || []
    const words = violations.map(({ path, code, message }) => [
      fieldName(path),
      i18n.exists(code, { ns: 'violations' }) ? t(code as keyof Texts['violations']) : message,
    ])
    return Object.fromEntries(words)
  }
}
