import { Button } from '@mantine/core'
import { IconLock, IconLockOpen, IconMicrophoneOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { showToast } from '../../ui/toast.ts'
import { useSnapshot, useVisited } from '../room-context.ts'
import { useAction } from '../use-action.ts'
import classes from './PeoplePanel.module.css'

/** Host actions that apply to all participants. */
export function HostControls() {
  const { t } = useTranslation('room')
  const { room } = useVisited()
  const locked = useSnapshot().hostView?.locked ?? false
  const runAction = useAction()
  const showWhenDone = async (done: Promise<boolean>, message: string) => {
    if (await done) showToast({ about: 'host', message })
  }
  return (
    <div className={classes.controls}>
      <Button
        variant="default"
        leftSection={<IconMicrophoneOff size={18} aria-hidden />}
        onClick={() => showWhenDone(runAction(room.host.muteAll, 'host'), t('host.mutedAll'))}
      >
        {t('host.muteAll')}
      </Button>
      <Button
        variant="default"
        leftSection={locked ? <IconLockOpen size={18} aria-hidden /> : <IconLock size={18} aria-hidden />}
        onClick={() =>
          showWhenDone(
            runAction(locked ? room.host.unlock : room.host.lock, 'host'),
            t(locked ? 'host.unlocked' : 'host.locked'),
          )
        }
      >
        {t(locked ? 'host.unlock' : 'host.lock')}
      </Button>
    </div>
  )
}
