import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

type FeedActionsProps = { isBusy: boolean; onRenew(): void; onEnd(): void }

/** Replace or revoke the address, after a warning about the programs that use it. */
export function FeedActions({ isBusy, onRenew, onEnd }: FeedActionsProps) {
  const { t } = useTranslation('profile')
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
