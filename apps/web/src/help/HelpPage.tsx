import { Anchor, Stack, Text, Title } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { serviceQuery } from '../session/session.ts'
import { useFrame } from '../ui/frame.ts'
import { PageTitle } from '../ui/Page.tsx'
import classes from './Help.module.css'

/** The questions of each group, in the order of a meeting. */
const groups = [
  { group: 'guests', questions: ['join', 'microphone', 'background', 'captions', 'waiting', 'privacy'] },
  { group: 'hosts', questions: ['invite', 'change', 'cancel', 'waitingRoom', 'ownRoom', 'breakout'] },
] as const

/** Short answers for people who join and schedule meetings. The documentation is for developers and operators. */
export function HelpPage() {
  const { t } = useTranslation('help')
  const { supportContact } = useSuspenseQuery(serviceQuery).data
  useFrame('wide')
  return (
    <div className={classes.page}>
      <PageTitle>{t('title')}</PageTitle>
      <Text c="dimmed">{t('intro')}</Text>
      {groups.map(({ group, questions }) => (
        <section key={group} aria-labelledby={`help-${group}`}>
          <Title order={2} size="h4" id={`help-${group}`} mt="xl" mb="md">
            {t(group)}
          </Title>
          <Stack gap="lg">
            {questions.map((name) => (
              <div key={name} id={name}>
                <Title order={3} size="h5" mb={4}>
                  {t(`questions.${name}.question`)}
                </Title>
                <Text>{t(`questions.${name}.answer`)}</Text>
              </div>
            ))}
          </Stack>
        </section>
      ))}
      <Stack gap="xs" mt="xl" align="start">
        {supportContact !== null && (
          <Anchor href={supportContact} underline="always">
            {t('contact')}
          </Anchor>
        )}
        <Anchor href="/docs/changelog" underline="always" hrefLang="en">
          {t('changes')}
        </Anchor>
        <Anchor href="/docs" underline="always" hrefLang="en">
          {t('developers')}
        </Anchor>
      </Stack>
    </div>
  )
}
