import { useTranslation } from 'react-i18next'

/** Return a use case's translated name, or the service's name when no translation exists. */
export function useUseCaseName(): (useCase: { code: string; name: string }) => string {
  const { t } = useTranslation('apps')
  return ({ code, name }) => t(`useCases.${code}` as 'useCases.other', { defaultValue: name })
}

/** Return the translated description of a scope. */
export function useScopeSentence(): (scope: { scope: string; description?: string }) => string {
  const { t } = useTranslation('apps')
  // i18next separates namespaces by colons.
  return ({ scope, description = scope }) =>
    t(`scopes.${scope.replace(':', '_')}` as 'scopes.user_read', { defaultValue: description })
}
