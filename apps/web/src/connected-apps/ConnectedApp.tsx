import { Anchor, Badge, Button, List, Skeleton, Text, Title } from '@mantine/core'
import type { EventReply } from '@parley/contract'
import type { Texts } from '@parley/texts/nouns'
import { IconCheck } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useDates } from '../texts/dates.ts'
import { useNow } from '../ui/hooks/use-now.ts'
import classes from './ConnectedApp.module.css'
import { activityQuery, type Grant, useGrantName } from './grant-queries.ts'
import { homepageOf } from './homepage.ts'
import { scopesQuery, useScopeWords } from './scope-words.ts'

const minuteMs = 60_000

type ConnectedAppProps = { grant: Grant; onDisconnect(): void }

export function ConnectedApp({ grant, onDisconnect }: ConnectedAppProps) {
  const { t } = useTranslation(['connected-apps', 'app'])
  const { date, relative } = useDates()
  const now = useNow(minuteMs)
  const headingId = useId()
  const { app, scopes, resources, createdOn, lastUsedOn } = grant
  const homepage = homepageOf(app.homepageUrl)
  const name = useGrantName()(grant)
  return (
    <section className={classes.app} aria-labelledby={headingId}>
      <AppLogo key={app.logoUrl} name={name} logoUrl={app.logoUrl} />
      <div className={classes.facts}>
        <div className={classes.heading}>
          <Title order={2} size="h4" id={headingId}>
            <bdi>{name}</bdi>
          </Title>
          {app.sandbox && <Badge color="gray">{t('app:sandbox')}</Badge>}
          {app.suspended && <Badge color="red">{t('app:suspended')}</Badge>}
        </div>
        {app.suspended && <Text size="sm">{t('suspendedExplanation')}</Text>}
        {!app.reviewed && <Text size="sm">{t(app.clientHost === undefined ? 'registeredItself' : 'notReviewed')}</Text>}
        {app.reviewed && app.clientHost !== undefined && (
          <Text size="sm" fw={600}>
            <bdi dir="ltr">{app.clientHost}</bdi>
          </Text>
        )}
        {homepage !== undefined && (
          <Anchor href={homepage.href} target="_blank" rel="noopener noreferrer nofollow" size="sm" dir="ltr">
            {homepage.host}
          </Anchor>
        )}
        <Text size="sm" c="dimmed">
          {t('since', { day: date(createdOn) })}
          <br />
          {lastUsedOn === null ? t('app:neverUsed') : t('lastUsed', { distance: relative(lastUsedOn, now) })}
        </Text>
      </div>
      <Button
        className={classes.action}
        variant="default"
        size="sm"
        aria-label={t('disconnectNamed', { name })}
        onClick={onDisconnect}
      >
        {t('disconnect')}
      </Button>
      <Scopes scopes={scopes} resources={resources} />
      <Activity grantId={grant._id} />
    </section>
  )
}

function Scopes({ scopes, resources }: Pick<Grant, 'scopes' | 'resources'>) {
  const { t } = useTranslation('connected-apps')
  const { data: known = [] } = useQuery(scopesQuery)
  const scopeWords = useScopeWords()
  if (scopes.length === 0) return <Text className={classes.scopes}>{t('mayNothing')}</Text>
  return (
    <div className={classes.scopes}>
      <Text fw={600} mb="xs">
        {t('may')}
      </Text>
      <List icon={<IconCheck size={18} className={classes.tick} aria-hidden />} spacing="xs">
        {scopes.map((scope) => (
          <List.Item key={scope}>{scopeWords(known.find((one) => one.scope === scope) ?? { scope })}</List.Item>
        ))}
      </List>
      {resources.some(({ resource }) => resource.endsWith('/mcp')) && (
        <Text size="sm" c="dimmed" mt="xs">
          {t(resources.length === 1 ? 'usesAssistantTools' : 'usesBoth')}
        </Text>
      )}
    </div>
  )
}

/** An app's logo from our own service, or its first letter. Decorative, because the name is next to it. */
function AppLogo({ name, logoUrl }: { name: string; logoUrl: string }) {
  const [missing, setMissing] = useState(logoUrl === '')
  if (missing) {
    const [first = ''] = name
    return (
      <div className={classes.logo} aria-hidden>
        {first.toLocaleUpperCase()}
      </div>
    )
  }
  return <img className={classes.logo} src={logoUrl} alt="" onError={() => setMissing(true)} />
}

/** What an app changed for the person, newest first. It is read when it is opened. */
function Activity({ grantId }: { grantId: string }) {
  const { t } = useTranslation('connected-apps')
  const [opened, setOpened] = useState(false)
  return (
    <details className={classes.activity} onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
      <summary className={classes.summary}>{t('activity.title')}</summary>
      {opened && <ActivityList grantId={grantId} />}
    </details>
  )
}

function ActivityList({ grantId }: { grantId: string }) {
  const { t } = useTranslation(['connected-apps', 'app'])
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(activityQuery(grantId))
  const events = data?.pages.flatMap((page) => page.events)
  return (
    <>
      <ProblemAlert error={error} />
      {events === undefined && error === null && <Skeleton h={48} aria-busy="true" />}
      {events?.length === 0 && <Text size="sm">{t('activity.none')}</Text>}
      {events !== undefined && events.length > 0 && (
        <ul className={classes.list}>
          {events.map((event) => (
            <ActivityEntry key={event.id} event={event} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button
          variant="default"
          size="compact-sm"
          mb="xs"
          loading={isFetchingNextPage}
          onClick={() => fetchNextPage()}
        >
          {t('activity.older')}
        </Button>
      )}
      {events !== undefined && (
        <Text size="sm" c="dimmed">
          {t('activity.explanation')}
        </Text>
      )}
    </>
  )
}

function ActivityEntry({ event }: { event: EventReply }) {
  const { t } = useTranslation('connected-apps')
  const { dateTime, date } = useDates()
  const words = useActivityWords()
  const { meetingId, originalStartTime } = event.data as { meetingId: string; originalStartTime?: string }
  const facts = [
    dateTime(event.timestamp),
    ...(originalStartTime === undefined ? [] : [t('activity.ofDate', { day: date(originalStartTime) })]),
  ]
  return (
    <li>
      <Anchor size="sm" renderRoot={(props) => <Link to="/meetings/$meetingId" params={{ meetingId }} {...props} />}>
        {words(event)}
      </Anchor>
      <Text size="sm" c="dimmed">
        {facts.join(' · ')}
      </Text>
    </li>
  )
}

type ActivityKey = keyof Texts['connected-apps']['activity']['did']

/** Say what an app did, from the event that it caused; the type's name for one that no text was written for. */
function useActivityWords() {
  const { t, i18n } = useTranslation('connected-apps')
  const isWritten = (name: string): name is ActivityKey => i18n.exists(`activity.did.${name}`, { ns: 'connected-apps' })
  return ({ type, data }: EventReply): string => {
    const { topic, response, participant } = data as {
      topic?: string
      response?: string
      participant?: { name: string }
    }
    const key = response ?? type.replaceAll('.', '_')
    if (!isWritten(key)) return type
    return t(`activity.did.${key}`, { topic: topic ?? '', name: participant?.name ?? '' })
  }
}
