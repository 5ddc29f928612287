import { Button, Group, Stack, Text } from '@mantine/core'
import { type App, createPlaygroundSecret } from '@parley/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { CopyField } from '../../ui/CopyField.tsx'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Section } from '../../ui/Section.tsx'
import { type Playground, wasSubmitted } from './use-playground.ts'

type ReadyStepProps = { app: App; playground: Playground }

/** The prerequisites: a submitted app, and a secret where the app has one. The redirect URI is built in. */
export function ReadyStep({ app, playground }: ReadyStepProps) {
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
