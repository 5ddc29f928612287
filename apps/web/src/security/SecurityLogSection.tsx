import { Button, Group, Stack } from '@mantine/core'
import type { SecurityEntry } from '@parley/contract'
import type { Texts } from '@parley/texts/nouns'
import { IconAlertTriangle, IconHistory } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { SettingsSection } from '../settings/SettingsPage.tsx'
import { useDates } from '../texts/dates.ts'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { securityLogQuery } from './security-queries.ts'
import { useDeviceWords } from './use-device-words.ts'

/** The security events of the account, newest first. */
export function SecurityLogSection() {
  const { t } = useTranslation('security')
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(securityLogQuery)
  const entries = data?.pages.flatMap((page) => page.entries)
  return (
    <SettingsSection title={t('log.title')} explanation={t('log.explanation')}>
      <ProblemAlert error={error} />
      {entries === undefined && error === null && (
        <Stack aria-busy="true">
          <RowSkeletons rows={5} />
        </Stack>
      )}
      {entries !== undefined && (
        <Rows label={t('log.title')}>
          {entries.map((entry) => (
            <EntryRow key={entry._id} entry={entry} />
          ))}
        </Rows>
      )}
      {hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {t('log.older')}
          </Button>
        </Group>
      )}
    </SettingsSection>
  )
}

type Action = keyof Texts['security']['log']['actions']

/** Events that another person may have caused. */
const alarming = ['sign-in.refused', 'password.refused', 'passkey.suspected']

function EntryRow({ entry: { action, about, by, happenedOn, network, userAgent } }: { entry: SecurityEntry }) {
  const { t, i18n } = useTranslation('security')
  const { dateTime } = useDates()
  const deviceWords = useDeviceWords()
  const key = action.replaceAll('.', '_')
  const isWritten = (name: string): name is Action => i18n.exists(`log.actions.${name}`, { ns: 'security' })
  const what = isWritten(key) ? t(`log.actions.${key}`) : action
  const facts = [
    dateTime(happenedOn),
    ...(by === 'you' ? [] : [t(`log.by.${by}`)]),
    ...(userAgent === '' ? [] : [deviceWords(userAgent)]),
    ...(network === '' ? [] : [t('log.network', { network })]),
  ]
  return (
    <Row
      icon={
        alarming.includes(action) ? (
          <IconAlertTriangle size={20} color="var(--parley-danger)" />
        ) : (
          <IconHistory size={20} />
        )
      }
      name={about === '' ? what : t('log.about', { what, about })}
      details={[facts.join(' · ')]}
    />
  )
}
