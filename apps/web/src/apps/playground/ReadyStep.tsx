import { Button, Group, Stack, Text } from '@mantine/core'
import { type App, createSecret, editApp } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { CopyField } from '../../ui/CopyField.tsx'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Section } from '../../ui/Section.tsx'
import { fieldsOfApp } from '../form/app-values.ts'
import type { Playground } from './use-playground.ts'

const minuteMs = 60 * 1_000
/** The secret's lifetime, so that an abandoned one is soon useless. */
const secretLifetimeMs = 24 * 60 * minuteMs

type ReadyStepProps = { app: App; playground: Playground }

/** The prerequisites: a submitted app, the playground's redirect URI, and a secret where the app has one. */
export function ReadyStep({ app, playground }: ReadyStepProps) {
  const { t } = useTranslation('apps')
  return (
    <Section title={t('ready.title')}>
      <Stack gap="md">
        {app.status === 'draft' && app.liveRevision === null && (
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
        <Callback app={app} redirectUri={playground.redirectUri} />
        {!playground.hasNoSecret && <Secret app={app} playground={playground} />}
      </Stack>
    </Section>
  )
}

/** Show the playground's redirect URI, and register it on request; adding it does not affect the live app. */
function Callback({ app, redirectUri }: { app: App; redirectUri: string }) {
  const { t } = useTranslation('apps')
  const queryClient = useQueryClient()
  const { _id: appId, status, callbackUrls } = app
  const addition = useMutation({
    mutationFn: () => {
      const fields = { ...fieldsOfApp(app), callbackUrls: [...callbackUrls, redirectUri] }
      // A pending revision stays in review; otherwise the app is saved only, which the sandbox uses at once.
      return client.call(editApp, { params: { appId }, body: { ...fields, draft: status !== 'under_review' } })
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['apps'] }),
  })
  const registered = callbackUrls.includes(redirectUri)
  return (
    <div>
      <CopyField
        label={t('ready.callback')}
        value={redirectUri}
        description={t(registered ? 'ready.registered' : 'ready.unregistered')}
      />
      {!registered && (
        <Button mt="sm" loading={addition.isPending} onClick={() => addition.mutate()}>
          {t('ready.addCallback')}
        </Button>
      )}
      <ProblemAlert error={addition.error} />
    </div>
  )
}

function Secret({ app, playground: { secret, setSecret } }: ReadyStepProps) {
  const { t } = useTranslation('apps')
  const now = useNow(minuteMs)
  const making = useMutation({
    mutationFn: () => {
      const expiresOn = new Date(now.getTime() + secretLifetimeMs).toISOString()
      const body = { name: t('playground.title'), sandbox: true, expiresOn }
      return client.call(createSecret, { params: { appId: app._id }, body })
    },
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
      {secret === '' && (
        <Button mt="sm" variant="default" loading={making.isPending} onClick={() => making.mutate()}>
          {t('ready.makeSecret')}
        </Button>
      )}
      <Text role="status" size="sm" c="dimmed" mt="xs">
        {making.isSuccess && secret !== '' && t('ready.made')}
      </Text>
      <ProblemAlert error={making.error} />
    </div>
  )
}
