import { Switch, Text } from '@mantine/core'
import { isLanguage } from '@parley/texts/languages'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  type DevicePermission,
  deviceStateKey,
  deviceStateQuery,
  switchDeviceOff,
  switchDeviceOn,
} from '../session/device-notifications.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { usePerson } from '../session/session.ts'
import { useChange } from '../session/use-change.ts'
import { SettingsSection } from './SettingsPage.tsx'

/** Whether this browser shows notifications on the device, and what became of the attempt to switch them on. */
export function DeviceSection() {
  const { t, i18n } = useTranslation('settings')
  const { _id: accountId } = usePerson()
  const { data: state = 'off' } = useQuery(deviceStateQuery(accountId))
  const change = useChange({
    refreshes: deviceStateKey,
    mutationFn: async (on: boolean): Promise<DevicePermission> => {
      if (on) return switchDeviceOn(accountId, isLanguage(i18n.language) ? i18n.language : 'en')
      await switchDeviceOff()
      return 'off'
    },
  })
  const isOn = state === 'shown' || state === 'pushed'
  // Neither an answer that is no answer nor a browser that refuses the service worker leaves a state behind.
  const outcome = change.data === 'unasked' || change.data === 'unsupported' ? change.data : state
  const shown = isOn ? state : outcome
  return (
    <SettingsSection title={t('device.title')} explanation={t('device.explanation')}>
      <ProblemAlert error={change.error} />
      <Switch
        label={t('device.label')}
        description={t('device.description')}
        styles={{ track: { borderColor: 'var(--parley-edge)' } }}
        checked={isOn}
        disabled={state === 'unsupported' || change.isPending}
        onChange={({ currentTarget: { checked } }) => change.mutate(checked)}
      />
      <Text size="sm" c="dimmed" mt="sm" role="status">
        {change.isPending ? t('device.asking') : t(`device.states.${shown}`)}
      </Text>
    </SettingsSection>
  )
}
