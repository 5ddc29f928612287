import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

type FeedActionsProps = { isBusy: boolean; onRenew(): void; onEnd(): void }

/** Replace or revoke the address, after a warning about the programs that use it. */
export function FeedActions({ isBusy, onRenew, onEnd }: FeedActionsProps) {
  const { t } = useTranslation('meetings')
  const [asked, setAsked] = useState<'renew' | 'end'>()
  /** The element that opened the dialog, which gets the focus back on cancel. */
  const [left, setLeft] = useState<'renew' | 'end'>()
  const leave = () => {
    setLeft(asked)
    setAsked(undefined)
  }
  if (asked === undefined) {
    return (
      <Group gap="sm">
        <Button variant="default" onClick={() => setAsked('renew')} autoFocus={left === 'renew'}>
          {t('feed.renew.ask')}
        </Button>
        <Button variant="default" c="var(--parley-danger)" onClick={() => setAsked('end')} autoFocus={left === 'end'}>
          {t('feed.end.ask')}
        </Button>
      </Group>
    )
  }
  return (
    <Stack gap="sm">
      <Text role="status">{t(`feed.${asked}.explanation`)}</Text>
      <Group gap="sm">
        {/* The initial focus is on Cancel. */}
        <Button variant="default" onClick={leave} autoFocus>
          {t('feed.keep')}
        </Button>
        <Button color="red" loading={isBusy} onClick={asked === 'renew' ? onRenew : onEnd}>
          {t(`feed.${asked}.confirm`)}
        </Button>
      </Group>
    </Stack>
  )
}
