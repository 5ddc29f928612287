import { useTranslation } from 'react-i18next'

/** Return a use case's translated name, or the service's name when no translation exists. */
export function useUseCaseName(): (useCase: { code: string; name: string }) => string {
  const { t } = useTranslation('apps')
  return ({ code, name }) => t(`useCases.${code}` as 'useCases.other', { defaultValue: name })
}
