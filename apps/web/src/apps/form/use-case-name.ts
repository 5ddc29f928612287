import { useTranslation } from 'react-i18next'

/** A use case in the reader's language; one that has come since is called what the service calls it. */
export function useUseCaseName(): (useCase: { code: string; name: string }) => string {
  const { t } = useTranslation('apps')
  return ({ code, name }) => t(`useCases.${code}` as 'useCases.other', { defaultValue: name })
}

/** What a scope lets an app do, in the reader's language. */
export function useScopeSentence(): (scope: { scope: string; description?: string }) => string {
  const { t } = useTranslation('apps')
  // A colon parts a text's file from its key.
  return ({ scope, description = scope }) =>
    t(`scopes.${scope.replace(':', '_')}` as 'scopes.user_read', { defaultValue: description })
}
