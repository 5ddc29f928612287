import { Anchor, Button, Group, Stack, Switch, Text } from '@mantine/core'
import { type App, createPlaygroundSecret, readServerMetadata } from '@parley/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { CopyField } from '../../ui/CopyField.tsx'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { Page } from '../../ui/Page.tsx'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Section } from '../../ui/Section.tsx'
import { appQuery } from '../app-queries.ts'
import { AuthorizeStep } from './AuthorizeStep.tsx'
import { FollowStep } from './FollowStep.tsx'
import { CallStep, ExchangeStep, RefreshStep, RevokeStep } from './RequestSteps.tsx'
import { type Playground, usePlayground, wasSubmitted } from './use-playground.ts'

/** The endpoints, from the authorization server metadata as every client reads it (RFC 8414). */
const serverQuery = queryOptions({
  queryKey: ['oauth-server'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: () => client.call(readServerMetadata),
})

/** The OAuth flow with the sandbox's credentials, step by step, with the requests and responses on the wire. */
export function PlaygroundPage() {
  const { t } = useTranslation('apps')
  const { appId } = useParams({ from: '/signed-in/developers/$appId/playground' })
  const app = useQuery(appQuery(appId))
  const server = useQuery(serverQuery)
  const title = t('playground.title')
  if (app.data === undefined || server.data === undefined) {
    const error = app.error ?? server.error
    return <Page title={title}>{error === null ? <PageSkeleton rows={5} /> : <ProblemAlert error={error} />}</Page>
  }
  const { issuer, authorization_endpoint: authorizationEndpoint } = server.data
  return (
    <Page title={title} width="wide">
      <Text c="dimmed" mb="lg">
        {t('playground.explanation')}{' '}
        <Anchor
          inherit
          underline="always"
          renderRoot={(props) => <Link to="/developers/$appId" params={{ appId }} {...props} />}
        >
          {t('playground.back', { name: app.data.name })}
        </Anchor>
      </Text>
      <Steps app={app.data} server={{ issuer, authorizationEndpoint }} />
    </Page>
  )
}

type StepsProps = { app: App; server: { issuer: string; authorizationEndpoint: string } }

function Steps({ app, server }: StepsProps) {
  const { t } = useTranslation('apps')
  const [shown, setShown] = useState(false)
  const playground = usePlayground(app, server)
  const hidden = shown ? [] : playground.secrets
  return (
    <Stack gap="lg">
      <Switch
        label={t('playground.show')}
        description={t('playground.showHint')}
        checked={shown}
        onChange={({ currentTarget: { checked } }) => setShown(checked)}
      />
      {playground.error !== null && <ProblemAlert error={playground.error} />}
      <ReadyStep app={app} playground={playground} />
      <AuthorizeStep app={app} playground={playground} hidden={hidden} />
      <ExchangeStep playground={playground} hidden={hidden} />
      <CallStep playground={playground} hidden={hidden} />
      <FollowStep playground={playground} />
      <RefreshStep playground={playground} hidden={hidden} />
      <RevokeStep playground={playground} hidden={hidden} />
    </Stack>
  )
}

type ReadyStepProps = { app: App; playground: Playground }

/** The prerequisites: a submitted app, and a secret where the app has one. The redirect URI is built in. */
function ReadyStep({ app, playground }: ReadyStepProps) {
  const { t } = useTranslation('apps')
  return (
    <Section title={t('ready.title')}>
      <Stack gap="md">
        {!wasSubmitted(app) && (
          <Group>
            <Text>{t('ready.submitFirst')}</Text>
            <Button
              variant="default"
              renderRoot={(props) => <Link to="/developers/$appId" params={{ appId: app._id }} {...props} />}
            >
              {t('ready.toApp')}
            </Button>
          </Group>
        )}
        <CopyField label={t('credentials.sandboxClientId')} value={app.sandboxClientId} />
        <CopyField label={t('ready.callback')} value={playground.redirectUri} description={t('ready.callbackHint')} />
        {!playground.hasNoSecret && <Secret app={app} playground={playground} />}
      </Stack>
    </Section>
  )
}

function Secret({ app, playground: { secret, setSecret } }: ReadyStepProps) {
  const { t } = useTranslation('apps')
  const making = useMutation({
    mutationFn: () => client.call(createPlaygroundSecret, { params: { appId: app._id } }),
    onSuccess: (made) => setSecret(made.secret),
  })
  return (
    <div>
      <PasswordField
        label={t('ready.secret')}
        description={t('ready.secretHint')}
        autoComplete="off"
        dir="ltr"
        value={secret}
        onChange={({ currentTarget: { value } }) => setSecret(value.trim())}
      />
      <Button mt="sm" variant="default" loading={making.isPending} onClick={() => making.mutate()}>
        {t('ready.makeSecret')}
      </Button>
      <Text role="status" size="sm" c="dimmed" mt="xs">
        {making.isSuccess && secret !== '' && t('ready.made')}
      </Text>
      <ProblemAlert error={making.error} />
    </div>
  )
}
