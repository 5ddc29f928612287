import { useTranslation } from 'react-i18next'

/** What an entry of an app's log is about, in a few words; a kind that has come since is called by its name. */
export function useEventWords(): (kind: string) => string {
  const { t } = useTranslation('apps')
  return (kind) => t(`events.${kind}` as 'events.app_submitted', { defaultValue: kind.replaceAll('_', ' ') })
}
