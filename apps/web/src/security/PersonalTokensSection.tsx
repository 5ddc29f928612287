import { Badge, Button, Stack, Text } from '@mantine/core'
import { deletePersonalToken, type PersonalToken } from '@parley/contract'
import { IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useDateFormat } from '../ui/hooks/use-date-format.ts'
import { useNow } from '../ui/hooks/use-now.ts'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { EndCredentialDialog } from './EndCredentialDialog.tsx'
import { MakeTokenDialog } from './MakeTokenDialog.tsx'
import { personalTokensQuery } from './security-queries.ts'

/** Personal access tokens for scripts. */
export function PersonalTokensSection() {
  const { t } = useTranslation('security')
  const { data, error } = useQuery(personalTokensQuery)
  const [making, setMaking] = useState(false)
  const [deleted, setDeleted] = useState<PersonalToken>()
  return (
    <Section
      title={t('tokens.title')}
      actions={
        <Button variant="default" size="sm" onClick={() => setMaking(true)}>
          {t('tokens.make')}
        </Button>
      }
    >
      <Text c="dimmed" mb="sm">
        {t('tokens.explanation')}
      </Text>
      <ProblemAlert error={error} />
      {data === undefined && error === null && (
        <Stack aria-busy="true">
          <RowSkeletons rows={1} />
        </Stack>
      )}
      {data?.length === 0 && <Text>{t('tokens.none')}</Text>}
      {data !== undefined && data.length > 0 && (
        <Rows label={t('tokens.title')}>
          {data.map((token) => (
            <TokenRow key={token._id} token={token} onDelete={() => setDeleted(token)} />
          ))}
        </Rows>
      )}
      {making && <MakeTokenDialog onClose={() => setMaking(false)} />}
      {deleted !== undefined && (
        <EndCredentialDialog
          title={t('tokens.askDelete', { name: deleted.name })}
          explanation={t('tokens.deleteExplanation')}
          confirm={t('tokens.delete')}
          done={t('tokens.deleted')}
          end={() => client.call(deletePersonalToken, { params: { tokenId: deleted._id } })}
          onClose={() => setDeleted(undefined)}
        />
      )}
    </Section>
  )
}

/** How often expiries are checked. */
const checkEveryMs = 60_000

function TokenRow({ token, onDelete }: { token: PersonalToken; onDelete(): void }) {
  const { t } = useTranslation(['security', 'connected-apps', 'app'])
  const { day, distance } = useDateFormat()
  const now = useNow(checkEveryMs)
  const { name, scopes, createdOn, expiresOn, lastUsedOn } = token
  const expired = expiresOn !== null && new Date(expiresOn) <= now
  const until = expiresOn === null ? t('app:doesNotExpire') : t('tokens.until', { day: day(expiresOn) })
  return (
    <Row
      icon={<IconKey size={20} />}
      name={name}
      marks={expired && <Badge color="red">{t('tokens.expired')}</Badge>}
      details={[
        scopes.join(' · '),
        expired ? t('tokens.expiredOn', { day: day(expiresOn) }) : until,
        t('added', { day: day(createdOn) }),
        lastUsedOn === null ? t('app:neverUsed') : t('connected-apps:lastUsed', { distance: distance(lastUsedOn) }),
      ]}
      actions={
        <Button
          variant="default"
          size="xs"
          aria-label={t('named', { action: t('tokens.delete'), name })}
          onClick={onDelete}
        >
          {t('tokens.delete')}
        </Button>
      }
    />
  )
}
