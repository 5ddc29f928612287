import { useTranslation } from 'react-i18next'
import { showToast } from '../../ui/toast.ts'
import { useVisited } from '../room-context.ts'
import { useAction } from '../use-action.ts'

/** Make new guests wait to be admitted, or let them in directly again, and report it. */
export function useNewGuests(): (required: boolean) => Promise<void> {
  const { t } = useTranslation('room')
  const { room } = useVisited()
  const runAction = useAction()
  return async (required) => {
    const { requireApproval, stopRequiringApproval } = room.host
    if (!(await runAction(required ? requireApproval : stopRequiringApproval, 'host'))) return
    showToast({ about: 'host', message: t(required ? 'newGuests.asked' : 'newGuests.stopped') })
  }
}
