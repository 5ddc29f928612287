import { Button, Checkbox, Fieldset, Group, NativeSelect, Stack, Switch, Text } from '@mantine/core'
import { opensBeforeMs } from '@parley/rules/rooms/admission'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { writeDuration } from './calendar-words.ts'
import classes from './MeetingForm.module.css'
import { useMeetingFormContext } from './MeetingFormContext.tsx'
import { type EntryChoice, entryChoiceOf, entryChoices, type MeetingDraft, withEntryChoice } from './meeting-draft.ts'

/** Who may join, as one choice, and what keeps them waiting; each with its consequence. */
export function EntryFields() {
  const form = useMeetingFormContext()
  const { t, i18n } = useTranslation(['schedule', 'app'])
  const { options } = form.values
  const choice = entryChoiceOf(options)
  const before = options.waitingRoom
    ? options.joinBeforeHost
      ? 'onWaiting'
      : 'offWaiting'
    : options.joinBeforeHost
      ? 'on'
      : 'off'
  return (
    <Stack gap="md">
      <NativeSelect
        label={t('options.entry')}
        value={choice}
        data={entryChoices.map((value) => ({ value, label: t(`options.who.${value}`) }))}
        onChange={({ currentTarget }) =>
          form.setFieldValue('options', withEntryChoice(options, currentTarget.value as EntryChoice))
        }
        inputWrapperOrder={['label', 'input', 'description']}
        description={t(`options.consequence.${choice}`)}
      />
      <Switch
        label={t('app:waitingRoom')}
        description={t(`options.waits.${options.waitingRoom ? 'on' : 'off'}`)}
        {...form.getInputProps('options.waitingRoom', { type: 'checkbox' })}
      />
      <Switch
        label={t('options.joinBeforeHost')}
        description={t(`options.before.${before}`, { time: writeDuration(opensBeforeMs, i18n.language) })}
        {...form.getInputProps('options.joinBeforeHost', { type: 'checkbox' })}
      />
    </Stack>
  )
}

const deviceOptions = ['hostVideo', 'hostAudio', 'participantVideo', 'participantAudio'] as const

/** How cameras and microphones begin: one line, until it is to be changed. */
export function DevicesFields() {
  const form = useMeetingFormContext()
  const { t } = useTranslation(['schedule', 'app'])
  const [isOpen, setOpen] = useState(false)
  const { options } = form.values
  return (
    <Fieldset
      legend={t('options.devices.label')}
      variant="unstyled"
      classNames={{ root: classes.fieldset ?? '', legend: classes.legend ?? '' }}
    >
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm">
          {t(`options.devices.${devicesOf(options)}`)}
          {options.participantHardAudioMute && ` · ${t('options.devices.muted')}`}
        </Text>
        <Button
          variant="subtle"
          size="compact-sm"
          flex="none"
          aria-expanded={isOpen}
          onClick={() => setOpen((open) => !open)}
        >
          {t(isOpen ? 'options.devices.done' : 'app:change')}
        </Button>
      </Group>
      {isOpen && (
        <Stack gap="sm" mt="xs">
          {([...deviceOptions, 'participantHardAudioMute'] as const).map((option) => (
            <Checkbox
              key={option}
              label={t(`options.${option}`)}
              {...form.getInputProps(`options.${option}`, { type: 'checkbox' })}
            />
          ))}
        </Stack>
      )}
    </Fieldset>
  )
}

function devicesOf(options: MeetingDraft['options']): 'on' | 'off' | 'mixed' {
  const on = deviceOptions.filter((option) => options[option]).length
  return on === deviceOptions.length ? 'on' : on === 0 ? 'off' : 'mixed'
}
