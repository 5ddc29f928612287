import { Button, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import type { App, CheckResult } from '@parley/contract'
import { differencesBetween } from '@parley/rules/oauth-apps/app-revision'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { Mark } from '../ui/Mark.tsx'
import { Modal } from '../ui/Modal.tsx'
import { Section } from '../ui/Section.tsx'
import { showToast } from '../ui/toast.ts'
import { AppFacts } from './AppFacts.tsx'
import classes from './AppPage.module.css'
import { useDeleteApp } from './app-mutations.ts'
import { appHistoryQuery, liveAppQuery } from './app-queries.ts'
import { fieldWords, useEventWords } from './app-words.ts'
import { EventTime } from './EventLog.tsx'
import { fieldsOfApp } from './form/app-values.ts'
import { StatusSummary } from './StatusSummary.tsx'

/** An app's status, fields, history and deletion. */
export function Overview({ app }: { app: App }) {
  const { t } = useTranslation('apps')
  const { liveRevision, draftRevision, checks = [] } = app
  return (
    <Stack gap="lg">
      <StatusSummary app={app} />
      {liveRevision !== null && draftRevision !== undefined && <LiveDifferences app={app} />}
      {checks.length > 0 && <Findings checks={checks} />}
      <Section title={t('facts.title')}>
        <AppFacts app={app} />
      </Section>
      <AppHistory appId={app._id} />
      <DeleteApp app={app} />
    </Stack>
  )
}

/** The live values that differ from the pending revision. */
function LiveDifferences({ app }: { app: App }) {
  const { t } = useTranslation('apps')
  const { data: live } = useQuery(liveAppQuery(app._id))
  if (live === undefined) return null
  const words = (value: string) => (value === 'true' ? t('facts.on') : value === 'false' ? t('facts.off') : value)
  return (
    <Section title={t('beside.title')}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('beside.explanation')}
      </Text>
      <Table verticalSpacing="sm" layout="fixed" className={classes.compared}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('beside.field')}</Table.Th>
            <Table.Th scope="col">{t('beside.live', { revision: live.liveRevision })}</Table.Th>
            <Table.Th scope="col">{t('beside.draft', { revision: app.draftRevision })}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {differencesBetween(fieldsOfApp(live), fieldsOfApp(app)).map(({ field, before, after }) => (
            <Table.Tr key={field}>
              <Table.Th scope="row">{fieldWords(field, t)}</Table.Th>
              <Table.Td>{before.map(words).join('\n')}</Table.Td>
              <Table.Td>{after.map(words).join('\n')}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  )
}

const tones = { passed: 'good', noted: 'caution', failed: 'danger', not_tried: 'neutral' } as const
const order = ['failed', 'noted', 'not_tried', 'passed'] as const

/** The automatic checks of the submission, as the reviewer sees them. The service writes them in English. */
function Findings({ checks }: { checks: readonly CheckResult[] }) {
  const { t } = useTranslation('apps')
  const sorted = checks.toSorted((a, b) => order.indexOf(a.result) - order.indexOf(b.result))
  return (
    <Section title={t('checks.title')}>
      <Text size="sm" c="dimmed" mb="xs">
        {t('checks.explanation')}
      </Text>
      <ul className={classes.rows}>
        {sorted.map(({ check, field, result, message }) => (
          <li key={`${check} ${field} ${message}`}>
            <Group gap="sm" wrap="nowrap" align="flex-start">
              <Mark tone={tones[result]}>{t(`checks.${result}`)}</Mark>
              <Text size="sm">
                {field !== '' && <strong>{fieldWords(field, t)}: </strong>}
                <bdi lang="en">{message}</bdi>
              </Text>
            </Group>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** What has happened to the app itself: submissions and decisions. */
function AppHistory({ appId }: { appId: string }) {
  const { t } = useTranslation(['apps', 'app'])
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(appHistoryQuery(appId))
  const words = useEventWords()
  const steps = data?.pages.flatMap(({ events }) => events) ?? []
  return (
    <Section title={t('app:history')}>
      <ProblemAlert error={error} />
      {data !== undefined && steps.length === 0 ? (
        <Text c="dimmed">{t('history.none')}</Text>
      ) : (
        <ol className={classes.rows}>
          {steps.map(({ _id, createdOn, kind, cause }) => (
            <li key={_id}>
              <Text fw={600} size="sm">
                {words(kind)}
              </Text>
              <Text size="sm" lang="en" dir="auto">
                {cause}
              </Text>
              <EventTime at={createdOn} />
            </li>
          ))}
        </ol>
      )}
      {hasNextPage && (
        <Button variant="default" mt="md" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t('log.older')}
        </Button>
      )}
    </Section>
  )
}

/** Delete an app. This cannot be undone, so the app's name must be typed. */
function DeleteApp({ app: { _id: appId, name } }: { app: App }) {
  const { t } = useTranslation(['apps', 'app'])
  const navigate = useNavigate()
  const [opened, setOpened] = useState(false)
  const [typed, setTyped] = useState('')
  const deletion = useDeleteApp(appId, {
    leave: () => {
      setOpened(false)
      return navigate({ to: '/developers' })
    },
    onRefreshed: () => showToast({ message: t('delete.done', { name }) }),
  })
  return (
    <Section title={t('delete.title')}>
      <Text mb="md">{t('delete.explanation')}</Text>
      <Button variant="outline" color="red" onClick={() => setOpened(true)}>
        {t('delete.begin')}
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={t('delete.question', { name })}
        closeButtonProps={{ 'aria-label': t('app:close') }}
      >
        <ProblemAlert error={deletion.error} />
        <Text mb="md">{t('delete.warning')}</Text>
        <TextInput
          label={t('delete.type', { name })}
          value={typed}
          autoComplete="off"
          data-autofocus
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={() => setOpened(false)}>
            {t('app:cancel')}
          </Button>
          <Button
            color="red"
            disabled={typed.trim() !== name.trim()}
            loading={deletion.isPending}
            onClick={() => deletion.mutate()}
          >
            {t('delete.confirm')}
          </Button>
        </Group>
      </Modal>
    </Section>
  )
}
