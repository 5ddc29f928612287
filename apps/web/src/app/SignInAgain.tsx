import { Modal, Text } from '@mantine/core'
import type { Profile } from '@parley/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { markSessionRenewed } from '../session/expiry.ts'
import { serviceQuery, usePerson } from '../session/session.ts'
import { OtherSignInMethods } from '../sign-in/OtherSignInMethods.tsx'
import { SignInForm } from '../sign-in/SignInForm.tsx'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'

/** Asks to sign in again where the session has ended, above the page: what was typed there stays. */
export function SignInAgain() {
  const { t } = useTranslation()
  useReturnFocus()
  const { _id } = usePerson()
  const router = useRouter()
  const queryClient = useQueryClient()
  const { href } = useLocation()
  const providerName = useQuery(serviceQuery).data?.providerName ?? null
  const goOn = (person: Profile) => {
    // Nothing of one person is shown to another.
    if (person._id !== _id) return window.location.assign('/')
    markSessionRenewed()
    void queryClient.invalidateQueries()
    void router.invalidate()
  }
  return (
    <Modal opened onClose={() => {}} withCloseButton={false} title={t('expired.title')}>
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
