import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { usePerson } from '../../session/session.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { Modal } from '../../ui/Modal.tsx'
import { TimeZoneField } from '../schedule/TimeZoneField.tsx'
import { timeZonesQuery, zoneIdOf } from '../schedule/time-zones.ts'
import { useCalendarSettings } from './calendar-settings.ts'

const anHourMs = 3_600_000

/** Choose the time zone whose hours stand beside the reader's own. */
export function SecondZoneDialog({ onClose }: { onClose(): void }) {
  useReturnFocus()
  const { t } = useTranslation(['meetings', 'schedule', 'app'])
  const { timeZone } = usePerson()
  const now = useNow(anHourMs)
  const { data: codes = [], error } = useQuery(timeZonesQuery)
  const [{ secondZone }, changeSettings] = useCalendarSettings()
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('calendar.secondZone')}
      centered
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <ProblemAlert error={error} />
      <TimeZoneField
        label={t('schedule:when.timeZone')}
        data-autofocus
        codes={codes}
        at={now}
        profileTimeZone={timeZone}
        value={secondZone ?? null}
        onChange={(chosen) => {
          if (chosen === null) return
          changeSettings({ secondZone: zoneIdOf(chosen, codes) })
          onClose()
        }}
      />
    </Modal>
  )
}
