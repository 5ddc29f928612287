import { Modal, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { markSessionRenewed } from '../session/expiry.ts'
import { usePerson } from '../session/session.ts'
import { SignInForm } from '../sign-in/SignInForm.tsx'

/** Asks to sign in again where the session has ended, above the page: what was typed there stays. */
export function SignInAgain() {
  const { t } = useTranslation()
  const { _id } = usePerson()
  const router = useRouter()
  const queryClient = useQueryClient()
  return (
    <Modal opened onClose={() => {}} withCloseButton={false} title={t('expired.title')} centered>
      <Text mb="md">{t('expired.explanation')}</Text>
      <SignInForm
        onSignedIn={(person) => {
          // Nothing of one person is shown to another.
          if (person._id !== _id) return window.location.assign('/')
          markSessionRenewed()
          void queryClient.invalidateQueries()
          void router.invalidate()
        }}
      />
    </Modal>
  )
}
