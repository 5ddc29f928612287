import { useTranslation } from 'react-i18next'

/** Return the translated name of an event's kind, or its identifier when no translation exists. */
export function useEventWords(): (kind: string) => string {
  const { t } = useTranslation('apps')
  return (kind) => t(`events.${kind}` as 'events.app_submitted', { defaultValue: kind.replaceAll('_', ' ') })
}
