import { Button, Text } from '@mantine/core'
import type { RoomWatch } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import classes from './PeoplePanel.module.css'
import { useNewGuests } from './use-new-guests.ts'

/** Whether new guests have to wait. Offered after a guest was declined or removed, and shown while it is on. */
export function NewGuests({ watch }: { watch: RoomWatch }) {
  const { t } = useTranslation('room')
  const setRequired = useNewGuests()
  const { waitingRoom, approvalRequired, denied } = watch
  // With a waiting room, everyone waits anyway.
  if (waitingRoom || (!approvalRequired && denied.length === 0)) return null
  return (
    <section className={classes.section}>
      <Text size="sm" {...(!approvalRequired && { c: 'dimmed' })}>
        {t(approvalRequired ? 'newGuests.on' : 'newGuests.off')}
      </Text>
      <Button mt="xs" variant="default" onClick={() => void setRequired(!approvalRequired)}>
        {t(approvalRequired ? 'newGuests.stop' : 'newGuests.ask')}
      </Button>
    </section>
  )
}
