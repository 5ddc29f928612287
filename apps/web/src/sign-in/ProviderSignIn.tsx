import { Button } from '@mantine/core'
import { IconBuilding } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { keepFragment, partAddress } from './kept-fragment.ts'

type ProviderSignInProps = {
  /** What the operator calls the provider. */
  providerName: string
  /** Where to go on to afterwards. Its fragment stays in this tab: it may hold a PIN, and would be in a query. */
  returnTo: string
}

/** Leaves for the organisation's own provider, which leads back. */
export function ProviderSignIn({ providerName, returnTo }: ProviderSignInProps) {
  const { t } = useTranslation('accounts')
  const parted = partAddress(returnTo)
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
