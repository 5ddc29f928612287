import { useTranslation } from 'react-i18next'
import { showToast } from '../../ui/toast.ts'
import { useVisited } from '../room-context.ts'
import { useAction } from '../use-action.ts'

/** Make new guests wait to be admitted, or let them in directly again, and report it. */
export function useNewGuests(): (asked: boolean) => Promise<void> {
  const { t } = useTranslation('room')
  const { room } = useVisited()
  const deed = useAction()
  return async (asked) => {
    const { askNewGuests, stopAskingNewGuests } = room.host
    if (!(await deed(asked ? askNewGuests : stopAskingNewGuests, 'host'))) return
    showToast({ about: 'host', message: t(asked ? 'newGuests.asked' : 'newGuests.stopped') })
  }
}
