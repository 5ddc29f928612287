import { Menu } from '@mantine/core'
import { IconChevronUp } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DeviceRole, keptChoice } from '../lobby/device-choice.ts'
import { useDevices } from '../lobby/use-devices.ts'
import { useSwitchDevice } from '../lobby/use-switch-device.ts'
import classes from './Toolbar.module.css'

type DeviceMenuProps = {
  label: string
  roles: readonly DeviceRole[]
  onSettings(): void
}

/** The arrow beside a device's button: choose another device without opening the settings. */
export function DeviceMenu({ label, roles, onSettings }: DeviceMenuProps) {
  const { t } = useTranslation('room')
  const [opened, setOpened] = useState(false)
  return (
    <Menu opened={opened} onChange={setOpened} position="top" withInitialFocusPlaceholder={false} width={300}>
      <Menu.Target>
        <button type="button" className={classes.arrow} aria-label={label} title={label}>
          <IconChevronUp size={18} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {opened && roles.map((role) => <DeviceItems key={role} role={role} />)}
        <Menu.Divider />
        <Menu.Item onClick={onSettings}>{t('tools.devices')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function DeviceItems({ role }: { role: DeviceRole }) {
  const { t } = useTranslation('room')
  const switchDevice = useSwitchDevice()
  const devices = useDevices('inside')[role]
  const [chosen, setChosen] = useState(() => keptChoice(localStorage).devices[role])
  const current = devices.find(({ id }) => id === chosen) ?? devices[0]
  if (devices.length === 0) return null
  const choose = async (id: string) => {
    if (await switchDevice(role, id)) setChosen(id)
  }
  return (
    <>
      <Menu.Label>{t(`devices.${role}`)}</Menu.Label>
      <Menu.RadioGroup value={current?.id ?? null} onChange={(id) => void choose(id)}>
        {devices.map(({ id, label }, index) => (
          <Menu.RadioItem key={id} value={id}>
            {label === '' ? t('devices.unnamed', { number: index + 1 }) : label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  )
}
