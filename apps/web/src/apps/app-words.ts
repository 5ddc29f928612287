import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'

const fields = [
  ...(['name', 'homepageUrl', 'policyUrl', 'logoUrl', 'useCase', 'description'] as const),
  ...(['callbackUrls', 'embedOrigins', 'scopes', 'clientType', 'requirePkce', 'sendIss'] as const),
  ...(['owner', 'reviewNotes', 'scopeReasons'] as const),
]

/** Describe a field such as `callbackUrls/2`, as reviews and checks name it. */
export function fieldWords(path: string, t: TFunction<'apps'>): string {
  const [field, index] = path.replace(/^\//, '').split(/[/.]/)
  const known = fields.find((one) => one === field)
  if (known === undefined) return path
  if (index === undefined) return t(`field.${known}`)
  const number = Number(index) + 1
  return known === 'callbackUrls' ? t('field.callbackUrl', { number }) : `${t(`field.${known}`)} ${number}`
}

/** Return a use case's translated name, or the service's name when no translation exists. */
export function useUseCaseName(): (useCase: { code: string; name: string }) => string {
  const { t } = useTranslation('apps')
  return ({ code, name }) => t(`useCases.${code}` as 'useCases.other', { defaultValue: name })
}

/** Return the translated name of an event's kind, or its identifier when no translation exists. */
export function useEventWords(): (kind: string) => string {
  const { t } = useTranslation('apps')
  return (kind) => t(`events.${kind}` as 'events.app_submitted', { defaultValue: kind.replaceAll('_', ' ') })
}
