import { Button } from '@mantine/core'
import { IconBuilding } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { keepFragment, splitAddress } from './kept-fragment.ts'

type ProviderSignInProps = {
  /** The provider's name in the operator's configuration. */
  providerName: string
  /**
   * The path to open afterwards. Its fragment is kept in this tab, because it may hold a PIN and would otherwise become
   * part of a query.
   */
  returnTo: string
}

/** Redirect to the organisation's identity provider, which redirects back. */
export function ProviderSignIn({ providerName, returnTo }: ProviderSignInProps) {
  const { t } = useTranslation('accounts')
  const parted = splitAddress(returnTo)
  const query = new URLSearchParams({ returnTo: parted.path })
  return (
    <Button
      component="a"
      href={`/api/auth/provider-sign-in?${query}`}
      onClick={() => keepFragment(parted)}
      variant="default"
      fullWidth
      mt="sm"
      leftSection={<IconBuilding size={18} aria-hidden />}
    >
      {t('signIn.provider', { name: providerName })}
    </Button>
  )
}
