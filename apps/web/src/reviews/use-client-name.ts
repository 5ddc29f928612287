import { useTranslation } from 'react-i18next'

/** Say what a client is that no developer has registered: an assistant with a document, or one that registered itself. */
export function useClientName(): (clientHost: string | undefined) => string {
  const { t } = useTranslation('reviews')
  return (clientHost) => (clientHost === undefined ? t('client.dynamic') : t('client.host', { host: clientHost }))
}
