import { Stack, Switch, Text } from '@mantine/core'
import type { Participant } from '@parley/client/join'
import { useTranslation } from 'react-i18next'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { Modal } from '../../ui/Modal.tsx'
import { useNameOf, useSnapshot, useVisited } from '../room-context.ts'
import { useAction } from '../use-action.ts'

type RightsDialogProps = {
  /** The participant whom it is about; absent for all. */
  person?: Participant
  onClose(): void
}

/** What participants may do, for all or for one of them. A switch shows what the service says, also of other hosts. */
export function RightsDialog({ person, onClose }: RightsDialogProps) {
  const { t } = useTranslation(['room', 'app'])
  const { room } = useVisited()
  const { hostView } = useSnapshot()
  const runAction = useAction()
  const nameOf = useNameOf()
  useReturnFocus()
  const allowed =
    person === undefined
      ? hostView?.allowed
      : hostView?.participants.find(({ admissionId }) => admissionId === person.id)?.allowed
  const title = person === undefined ? t('rights.ofAll') : t('rights.ofOne', { name: nameOf(person) })
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('app:close') }}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t(person === undefined ? 'rights.forAll' : 'rights.forOne')}
        </Text>
        {allowed === undefined ? (
          <Text>{t('errors.participant_gone')}</Text>
        ) : (
          hostView?.controllable.map((right) => (
            <Switch
              key={right}
              label={t(`rights.may.${right}`)}
              checked={allowed[right]}
              onChange={({ currentTarget: { checked } }) =>
                void runAction(
                  () =>
                    person === undefined
                      ? room.host.setAllowedForAll(right, checked)
                      : room.host.setAllowed(person.id, right, checked),
                  'host',
                )
              }
            />
          ))
        )}
      </Stack>
    </Modal>
  )
}
