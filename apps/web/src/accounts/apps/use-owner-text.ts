import { useTranslation } from 'react-i18next'
import { useClientName } from '../../reviews/review-queries.ts'
import { accountName } from '../account-name.ts'
import type { ListedApp } from './app-list-query.ts'

/** Say who an app belongs to: its developer, or the host of an assistant's document. */
export function useOwnerText(): (app: Pick<ListedApp, 'owner' | 'clientHost'>) => string {
  const { t } = useTranslation('administration')
  const clientName = useClientName()
  return (app) =>
    app.owner === undefined
      ? clientName(app.clientHost)
      : t('apps.by', { name: accountName(app.owner), email: app.owner.email })
}
