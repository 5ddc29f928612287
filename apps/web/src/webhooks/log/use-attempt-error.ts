import type { Texts } from '@parley/texts/nouns'
import { useTranslation } from 'react-i18next'

type Written = keyof Texts['webhooks']['errors']

/** Return why there was no response, or the code of the service when no text exists. */
export function useAttemptError(): (code: string | null) => string {
  const { t } = useTranslation('webhooks')
  return (code) => t(`errors.${code ?? 'no_connection'}` as `errors.${Written}`, { defaultValue: code ?? '' })
}
