import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useDates } from '../texts/dates.ts'
import { SecretOnce } from '../ui/CopyField.tsx'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { Modal } from '../ui/Modal.tsx'
import { showToast } from '../ui/toast.ts'
import { useCreateCalendarFeed, useDeleteCalendarFeed } from './meeting-mutations.ts'
import { feedQuery } from './meeting-queries.ts'

/** While the address is shown, only its own button closes the dialog, because the address is never shown again. */
export function FeedDialog({ onClose }: { onClose(): void }) {
  useReturnFocus()
  const { t } = useTranslation(['settings', 'app'])
  const [url, setUrl] = useState<string>()
  const isShown = url !== undefined
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('settings:feed.title')}
      centered
      closeOnClickOutside={!isShown}
      closeOnEscape={!isShown}
      withCloseButton={!isShown}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <FeedFields url={url} onUrl={setUrl} />
    </Modal>
  )
}

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
  const { t } = useTranslation('settings')
  const dates = useDates()
  const { data, error } = useQuery(feedQuery)
  const making = useCreateCalendarFeed({ onSaved: (made) => onUrl(made.url) })
  const ending = useDeleteCalendarFeed({ onSaved: () => showToast({ message: t('feed.ended') }) })
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
  const when = dates.dateTime(data.createdOn)
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

type FeedActionsProps = { isBusy: boolean; onRenew(): void; onEnd(): void }

/** Replace or revoke the address, after a warning about the programs that use it. */
function FeedActions({ isBusy, onRenew, onEnd }: FeedActionsProps) {
  const { t } = useTranslation('settings')
  const [pendingAction, setPendingAction] = useState<'renew' | 'end'>()
  /** The element that opened the dialog, which gets the focus back on cancel. */
  const [left, setLeft] = useState<'renew' | 'end'>()
  const leave = () => {
    setLeft(pendingAction)
    setPendingAction(undefined)
  }
  if (pendingAction === undefined) {
    return (
      <Group gap="sm">
        <Button variant="default" onClick={() => setPendingAction('renew')} autoFocus={left === 'renew'}>
          {t('feed.renew.ask')}
        </Button>
        <Button
          variant="default"
          c="var(--parley-danger)"
          onClick={() => setPendingAction('end')}
          autoFocus={left === 'end'}
        >
          {t('feed.end.ask')}
        </Button>
      </Group>
    )
  }
  return (
    <Stack gap="sm">
      <Text role="status">{t(`feed.${pendingAction}.explanation`)}</Text>
      <Group gap="sm">
        {/* The initial focus is on Cancel. */}
        <Button variant="default" onClick={leave} autoFocus>
          {t('feed.keep')}
        </Button>
        <Button color="red" loading={isBusy} onClick={pendingAction === 'renew' ? onRenew : onEnd}>
          {t(`feed.${pendingAction}.confirm`)}
        </Button>
      </Group>
    </Stack>
  )
}
