import { Button, Group, Stack, Text } from '@mantine/core'
import { createCalendarFeed, deleteCalendarFeed } from '@parley/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { ownTimeZone, writeMoment } from '../../texts/dates.ts'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { SecretOnce } from '../../ui/SecretOnce.tsx'
import { showToast } from '../../ui/toast.ts'
import { FeedActions } from './FeedActions.tsx'
import { feedQuery } from './feed-query.ts'

type FeedFieldsProps = {
  /** The new address, until the reader confirms having stored it. */
  url: string | undefined
  onUrl(url: string | undefined): void
}

/**
 * The private address at which calendar programs read the account's meetings: create it, show it once, replace or
 * revoke it.
 */
export function FeedFields({ url, onUrl }: FeedFieldsProps) {
  const { t, i18n } = useTranslation('profile')
  const queryClient = useQueryClient()
  const { data, error } = useQuery(feedQuery)
  const refresh = () => queryClient.invalidateQueries({ queryKey: feedQuery.queryKey })
  const making = useMutation({
    mutationFn: () => client.call(createCalendarFeed),
    onSuccess: (made) => {
      onUrl(made.url)
      return refresh()
    },
  })
  const ending = useMutation({
    mutationFn: () => client.call(deleteCalendarFeed),
    onSuccess: () => showToast({ message: t('feed.ended') }),
    // Also after a failure: it may have been revoked in another window.
    onSettled: refresh,
  })
  const problem = <ProblemAlert error={making.error ?? ending.error ?? error} />
  if (url !== undefined) {
    return (
      <Stack gap="md">
        <SecretOnce label={t('feed.address')} secret={url} onKept={() => onUrl(undefined)} />
        <Text size="sm">{t('feed.how')}</Text>
      </Stack>
    )
  }
  if (data === undefined) return problem
  if (data.createdOn === null) {
    return (
      <Stack gap="md">
        {problem}
        <Text>{t('feed.explanation')}</Text>
        <Group>
          <Button onClick={() => making.mutate()} loading={making.isPending}>
            {t('feed.make')}
          </Button>
        </Group>
      </Stack>
    )
  }
  const when = writeMoment(data.createdOn, { language: i18n.language, timeZone: ownTimeZone() })
  return (
    <Stack gap="md">
      {problem}
      <Text>{t('feed.since', { when })}</Text>
      <FeedActions
        isBusy={making.isPending || ending.isPending}
        onRenew={() => making.mutate()}
        onEnd={() => ending.mutate()}
      />
    </Stack>
  )
}
