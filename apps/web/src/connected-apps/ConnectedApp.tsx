import { Anchor, Badge, Button, List, Text, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useDateFormat } from '../ui/hooks/use-date-format.ts'
import { Activity } from './Activity.tsx'
import { AppLogo } from './AppLogo.tsx'
import classes from './ConnectedApp.module.css'
import { type Grant, useGrantName } from './grants-query.ts'
import { homepageOf } from './homepage.ts'
import { scopesQuery, useScopeWords } from './scope-words.ts'

type ConnectedAppProps = { grant: Grant; onDisconnect(): void }

export function ConnectedApp({ grant, onDisconnect }: ConnectedAppProps) {
  const { t } = useTranslation(['connected-apps', 'app'])
  const { day, distance } = useDateFormat()
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
          {t('since', { day: day(createdOn) })}
          <br />
          {lastUsedOn === null ? t('app:neverUsed') : t('lastUsed', { distance: distance(lastUsedOn) })}
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
