import { Modal, Text } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { markSessionRenewed, useSessionExpired } from '../session/expiry.ts'
import { usePerson } from '../session/session.ts'

const SignInForm = lazy(async () => ({ default: (await import('../sign-in/SignInForm.tsx')).SignInForm }))

/** Asks to sign in again where the session has ended, above the page: what was typed there stays. */
export function SessionExpired() {
  const { t } = useTranslation()
  const expired = useSessionExpired()
  const { _id } = usePerson()
  const router = useRouter()
  if (!expired) return null
  return (
    <Modal opened onClose={() => {}} withCloseButton={false} title={t('expired.title')} centered>
      <Text mb="md">{t('expired.explanation')}</Text>
      <Suspense fallback={null}>
        <SignInForm
          onSignedIn={(person) => {
            markSessionRenewed()
            // Nothing of one person is shown to another.
            if (person._id !== _id) return window.location.assign('/')
            void router.invalidate()
          }}
        />
      </Suspense>
    </Modal>
  )
}
