import { securityActions } from '@parley/contract'
import type { Texts } from '@parley/texts/nouns'
import { useTranslation } from 'react-i18next'

type SecurityKey = keyof Texts['security']['log']['actions']
type OwnKey = keyof Texts['administration']['actions']

/** i18next separates keys by dots. */
const keyOf = (action: string) => action.replaceAll('.', '_')
const isSecurityAction = (action: string) => securityActions.some((one) => one === action)

/** Return the translated name of an action, or its identifier when no translation exists. */
export function useActionWords(): (action: string) => string {
  const { t } = useTranslation(['administration', 'security'])
  return (action) =>
    isSecurityAction(action)
      ? t(`security:log.actions.${keyOf(action) as SecurityKey}`, { defaultValue: action })
      : t(`administration:actions.${keyOf(action) as OwnKey}`, { defaultValue: action })
}
