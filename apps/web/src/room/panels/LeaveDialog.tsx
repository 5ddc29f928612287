import { Button, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { useVisited } from '../room-context.ts'
import { useAction } from '../use-action.ts'

/** Hosts choose between leaving and ending the meeting for all. */
export function LeaveDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation(['room', 'app'])
  const { room } = useVisited()
  const runAction = useAction()
  const [ending, setEnding] = useState(false)
  useReturnFocus()
  const end = async () => {
    setEnding(true)
    if (!(await runAction(room.host.end, 'host'))) setEnding(false)
  }
  return (
    <Modal opened onClose={onClose} title={t('leave.title')} closeButtonProps={{ 'aria-label': t('app:close') }}>
      <Stack gap="sm">
        <Text>{t('leave.text')}</Text>
        <Button data-autofocus onClick={() => void room.leave()}>
          {t('tools.leave')}
        </Button>
        <Button color="red" loading={ending} onClick={end}>
          {t('leave.end')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('app:cancel')}
        </Button>
      </Stack>
    </Modal>
  )
}
