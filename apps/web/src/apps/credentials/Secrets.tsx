import { Button, Group, Text } from '@mantine/core'
import { type App, type listSecrets, type ReplyOf, retireSecret } from '@parley/contract'
import { maxActiveSecrets } from '@parley/rules/oauth-apps/app-limits'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useDateFormat } from '../../ui/hooks/use-date-format.ts'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { SecretOnce } from '../../ui/SecretOnce.tsx'
import { showToast } from '../../ui/toast.ts'
import { secretsQuery } from '../app-queries.ts'
import classes from '../overview/Overview.module.css'
import { MakeSecret } from './MakeSecret.tsx'
import { useMadeSecret } from './use-made-secret.ts'

type Secret = ReplyOf<typeof listSecrets>['secrets'][number]

export type SecretsProps = { app: App; secrets: readonly Secret[]; sandbox: boolean }

/** The active secrets of one environment. Values are shown once, on creation. */
export function Secrets({ app, secrets, sandbox }: SecretsProps) {
  const { t } = useTranslation('apps')
  const [making, setMaking] = useState(false)
  const { made, keep, clear } = useMadeSecret(app._id, sandbox)
  const shown = secrets.filter((secret) => secret.sandbox === sandbox)
  const own = shown.filter(({ forPlayground }) => !forPlayground)
  const full = own.length >= maxActiveSecrets
  return (
    <div>
      <Text fw={600} mb="xs">
        {t('secrets.title', { used: own.length, most: maxActiveSecrets })}
      </Text>
      {made !== undefined && (
        <SecretOnce label={t('secrets.value', { name: made.name })} secret={made.secret} onKept={clear} />
      )}
      {own.length === 0 && <Text c="dimmed">{t('secrets.none')}</Text>}
      <ul className={classes.rows}>
        {shown.map((secret) => (
          <SecretRow key={secret._id} appId={app._id} secret={secret} last={shown.length === 1} />
        ))}
      </ul>
      {!making && made === undefined && (
        <Button
          variant="default"
          mt="sm"
          leftSection={<IconPlus size={18} aria-hidden />}
          disabled={full}
          onClick={() => setMaking(true)}
        >
          {t('secrets.make')}
        </Button>
      )}
      {full && made === undefined && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('secrets.full')}
        </Text>
      )}
      {making && (
        <MakeSecret
          appId={app._id}
          sandbox={sandbox}
          onMade={(secret) => {
            keep(secret)
            setMaking(false)
          }}
          onCancel={() => setMaking(false)}
        />
      )}
    </div>
  )
}

function SecretRow({ appId, secret, last }: { appId: string; secret: Secret; last: boolean }) {
  const { t } = useTranslation(['apps', 'app'])
  const { day, moment } = useDateFormat()
  const queryClient = useQueryClient()
  const [isConfirming, setConfirming] = useState(false)
  const { _id: secretId, name, createdOn, expiresOn, lastUsedOn, forPlayground } = secret
  const retirement = useMutation({
    mutationFn: () => client.call(retireSecret, { params: { appId, secretId } }),
    onSuccess: async () => {
      setConfirming(false)
      await queryClient.invalidateQueries({ queryKey: secretsQuery(appId).queryKey })
      showToast({ message: t('secrets.retired', { name }) })
    },
  })
  const facts = [
    ...(forPlayground ? [t('secrets.forPlayground')] : []),
    t('secrets.madeOn', { day: day(createdOn) }),
    lastUsedOn === null ? t('app:neverUsed') : t('secrets.usedOn', { moment: moment(lastUsedOn) }),
    expiresOn === null ? t('app:doesNotExpire') : t('secrets.endsOn', { day: day(expiresOn) }),
  ]
  return (
    <li>
      <Group justify="space-between" gap="sm">
        <div>
          <Text fw={600}>{name}</Text>
          {facts.map((fact) => (
            <Text key={fact} size="sm" c="dimmed">
              {fact}
            </Text>
          ))}
        </div>
        <Button variant="outline" color="red" size="xs" onClick={() => setConfirming(true)}>
          {t('secrets.retire', { name })}
        </Button>
      </Group>
      <ConfirmDialog
        opened={isConfirming}
        title={t('secrets.retireQuestion', { name })}
        confirm={t('secrets.retireConfirm')}
        dangerous
        busy={retirement.isPending}
        onConfirm={() => retirement.mutate()}
        onClose={() => setConfirming(false)}
      >
        <ProblemAlert error={retirement.error} />
        <Text>{t(last ? 'secrets.retireLast' : 'secrets.retireExplanation')}</Text>
      </ConfirmDialog>
    </li>
  )
}
