import { Stack, Text } from '@mantine/core'
import type { App } from '@parley/contract'
import { isPublic } from '@parley/rules/oauth/client-type'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { CopyField } from '../../ui/CopyField.tsx'
import { RowSkeletons } from '../../ui/PageSkeleton.tsx'
import { Section } from '../../ui/Section.tsx'
import { secretsQuery } from '../app-queries.ts'
import { Rotation } from './Rotation.tsx'
import { Secrets, type SecretsProps } from './Secrets.tsx'

/** The client credentials of the sandbox and, once approved, of the live app; public clients have only ids. */
export function Credentials({ app }: { app: App }) {
  const { t } = useTranslation(['apps', 'app'])
  const hasNoSecret = isPublic(app.clientType)
  const { data: secrets, error } = useQuery({ ...secretsQuery(app._id), enabled: !hasNoSecret })
  const { clientId, sandboxClientId } = app
  const isOwn = (secret: SecretsProps['secrets'][number]) =>
    !secret.forPlayground && secret.sandbox === (clientId === undefined)
  return (
    <Stack gap="lg">
      {error !== null && <ProblemAlert error={error} />}
      <Section title={t('live')}>
        {clientId === undefined ? (
          <Text c="dimmed">{t(hasNoSecret ? 'credentials.notYetPublic' : 'credentials.notYet')}</Text>
        ) : (
          <Stack gap="md">
            <CopyField label={t('credentials.clientId')} value={clientId} monospace />
            {!hasNoSecret && <SecretsOf app={app} secrets={secrets} sandbox={false} />}
          </Stack>
        )}
      </Section>
      <Section title={t('app:sandbox')}>
        <Stack gap="md">
          <CopyField
            label={t('credentials.sandboxClientId')}
            value={sandboxClientId}
            monospace
            description={t('credentials.sandboxExplanation')}
          />
          {!hasNoSecret && <SecretsOf app={app} secrets={secrets} sandbox />}
        </Stack>
      </Section>
      {hasNoSecret ? (
        <Text c="dimmed">{t('credentials.noSecret')}</Text>
      ) : (
        <Rotation active={(secrets ?? []).filter(isOwn).length} />
      )}
    </Stack>
  )
}

type SecretsOfProps = { app: App; secrets: SecretsProps['secrets'] | undefined; sandbox: boolean }

const SecretsOf = ({ app, secrets, sandbox }: SecretsOfProps) =>
  secrets === undefined ? <RowSkeletons rows={2} /> : <Secrets app={app} secrets={secrets} sandbox={sandbox} />
