import { useTranslation } from 'react-i18next'
import { createStore, useStore } from './hooks/create-store.ts'

/** The name of the organisation that stands in place of the product's; empty for none. */
export const organisationName = createStore('')

/** The name of the service: in titles and in the frame. */
export function useProductName(): string {
  const { t } = useTranslation()
  return useStore(organisationName) || t('product')
}
