import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { sessionQuery } from '../session/session.ts'
import { PageTitle } from '../ui/Page.tsx'
import { JoinByCodeForm } from './JoinByCodeForm.tsx'

/** Join with a code and no link, with or without an account. */
export function JoinByCodePage() {
  const { t } = useTranslation('join')
  const { t: signInText } = useTranslation('sign-in')
  const { data: person } = useQuery(sessionQuery)
  return (
    <>
      <PageTitle>{t('title')}</PageTitle>
      <JoinByCodeForm />
      <Anchor component={Link} to={person ? '/meetings' : '/sign-in'} mt="lg" display="block">
        {person ? t('toMeetings') : signInText('signIn')}
      </Anchor>
    </>
  )
}
