import { Button, Group, Stack, Text } from '@mantine/core'
import { exportOwnData, listBlockedSenders, unblockSender } from '@parley/contract'
import { IconDownload, IconUserOff } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useProblemWords } from '../session/problem-words.ts'
import { useMail, usePerson } from '../session/session.ts'
import { SettingsPage, SettingsSection } from '../settings/SettingsPage.tsx'
import { useDates } from '../texts/dates.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { saveFile } from '../ui/save-file.ts'
import { showToast } from '../ui/toast.ts'
import { PasskeysSection } from './PasskeysSection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { SecurityLogSection } from './SecurityLogSection.tsx'
import { SessionsSection } from './SessionsSection.tsx'
import { useClearSession } from './use-clear-session.ts'

/** Credentials, sessions, connected apps, security events, and the end of the account. */
export function SecuritySettings() {
  return (
    <SettingsPage tab="security">
      <PasswordSection />
      <PasskeysSection />
      <SessionsSection />
      <ConnectedAppsSection />
      <BlockedSendersSection />
      <SecurityLogSection />
      <OwnDataSection />
      <DeleteAccountSection />
    </SettingsPage>
  )
}

/** The way to the apps that act for the person, which have a page of their own. */
function ConnectedAppsSection() {
  const { t } = useTranslation(['security', 'app'])
  return (
    <SettingsSection
      title={t('app:navigation.pages.connectedApps')}
      actions={
        <Button variant="default" size="sm" component={Link} to="/connected-apps">
          {t('connectedApps.open')}
        </Button>
      }
    >
      <Text>{t('connectedApps.explanation')}</Text>
    </SettingsSection>
  )
}

/** The hosts whose meetings the person does not get. */
function BlockedSendersSection() {
  const { t } = useTranslation('security')
  const { mail } = useMail()
  const { dateTime } = useDates()
  const queryClient = useQueryClient()
  const { data, error } = useQuery({
    // Under ['meetings']: the meeting page blocks, and invalidates these.
    queryKey: ['meetings', 'blocked-senders'],
    queryFn: async () => (await client.call(listBlockedSenders)).blockedSenders,
  })
  const unblocking = useMutation({
    mutationFn: ({ userId }: { userId: string; name: string }) => client.call(unblockSender, { params: { userId } }),
    onSuccess: async (_, { name }) => {
      await queryClient.invalidateQueries({ queryKey: ['meetings'] })
      showToast({ message: t(`blockedSenders.unblocked.${mail}`, { name }) })
    },
  })
  return (
    <SettingsSection title={t('blockedSenders.title')}>
      <ProblemAlert error={error ?? unblocking.error} />
      {data === undefined && error === null && (
        <Stack aria-busy="true">
          <RowSkeletons rows={1} />
        </Stack>
      )}
      {data?.length === 0 && <Text c="dimmed">{t('blockedSenders.none')}</Text>}
      {data !== undefined && data.length > 0 && (
        <Rows label={t('blockedSenders.title')}>
          {data.map(({ userId, name: first, lname, email, blockedOn }) => {
            const name = `${first} ${lname}`.trim()
            return (
              <Row
                key={userId}
                icon={<IconUserOff size={20} />}
                name={name}
                details={[email, t('blockedSenders.since', { moment: dateTime(blockedOn) })]}
                actions={
                  <Button
                    variant="default"
                    size="xs"
                    loading={unblocking.isPending && unblocking.variables.userId === userId}
                    aria-label={t('blockedSenders.unblockNamed', { name })}
                    onClick={() => unblocking.mutate({ userId, name })}
                  >
                    {t('blockedSenders.unblock')}
                  </Button>
                }
              />
            )
          })}
        </Rows>
      )}
    </SettingsSection>
  )
}

/** Rarely opened, so its code is loaded on demand. */
const DeleteAccountDialog = lazy(async () => ({
  default: (await import('./DeleteAccountDialog.tsx')).DeleteAccountDialog,
}))

const formats = [
  { format: 'json', mediaType: 'application/json' },
  { format: 'ics', mediaType: 'text/calendar' },
] as const
type Format = (typeof formats)[number]

/** Export the account's data. */
function OwnDataSection() {
  const { t } = useTranslation('security')
  const problemWords = useProblemWords()
  const download = useMutation({
    mutationFn: ({ format }: Format) => client.call(exportOwnData, { query: { format } }),
    onSuccess: (text, { format, mediaType }) => saveFile(text, `parley.${format}`, mediaType),
    onError: (error) => showToast({ kind: 'problem', message: problemWords(error) }),
  })
  return (
    <SettingsSection title={t('data.title')} explanation={t('data.explanation')}>
      <Group gap="sm">
        {formats.map((one) => (
          <Button
            key={one.format}
            variant="default"
            size="sm"
            // On a phone a long label takes two lines instead of being cut off.
            h="auto"
            mih="var(--button-height)"
            styles={{ label: { paddingBlock: '0.25rem', lineHeight: 1.2, whiteSpace: 'normal' } }}
            leftSection={<IconDownload size={18} aria-hidden />}
            loading={download.isPending && download.variables.format === one.format}
            onClick={() => download.mutate(one)}
          >
            {t(`data.${one.format}`)}
          </Button>
        ))}
      </Group>
    </SettingsSection>
  )
}

function DeleteAccountSection() {
  const { t } = useTranslation('security')
  const person = usePerson()
  const clearSession = useClearSession()
  const [deleting, setDeleting] = useState(false)
  return (
    <SettingsSection
      title={t('data.delete.confirm')}
      danger
      actions={
        <Button variant="outline" color="red" size="sm" onClick={() => setDeleting(true)}>
          {t('data.delete.begin')}
        </Button>
      }
    >
      <Text>{t('data.delete.access')}</Text>
      {deleting && (
        <Suspense>
          <DeleteAccountDialog account={person} own onDeleted={clearSession} onClose={() => setDeleting(false)} />
        </Suspense>
      )}
    </SettingsSection>
  )
}
