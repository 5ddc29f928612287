import { Text } from '@mantine/core'
import type { Profile } from '@parley/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { markSessionRenewed } from '../session/expiry.ts'
import { serviceQuery, usePerson } from '../session/session.ts'
import { OtherSignInMethods, SignInForm } from '../sign-in/SignInForm.tsx'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { Modal } from '../ui/Modal.tsx'

/** Ask to sign in again above the page when the session has ended, so that typed input is kept. */
export function SignInAgain() {
  const { t } = useTranslation()
  useReturnFocus()
  const { _id } = usePerson()
  const router = useRouter()
  const queryClient = useQueryClient()
  const { href } = useLocation()
  const providerName = useQuery(serviceQuery).data?.providerName ?? null
  const goOn = (person: Profile) => {
    // Another account must not see this account's cached data.
    if (person._id !== _id) return window.location.assign('/')
    markSessionRenewed()
    void queryClient.invalidateQueries()
    void router.invalidate()
  }
  return (
    <Modal opened onClose={() => {}} backCloses={false} withCloseButton={false} title={t('expired.title')}>
      <Text mb="md">{t('expired.explanation')}</Text>
      <SignInForm onSignedIn={goOn} />
      <OtherSignInMethods onSignedIn={goOn} returnTo={href} />
      {providerName !== null && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('expired.leaves', { name: providerName })}
        </Text>
      )}
    </Modal>
  )
}
