import { Checkbox, Fieldset, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { MeetingForm } from '../form.ts'
import classes from './OptionsFields.module.css'

const groups = [
  { name: 'entry', options: ['joinBeforeHost', 'waitingRoom', 'isRestrictedMeeting', 'loggedInOnly', 'colleagueOnly'] },
  {
    name: 'start',
    options: ['hostVideo', 'hostAudio', 'participantVideo', 'participantAudio', 'participantHardAudioMute'],
  },
] as const

/** Who may join, and how the meeting begins; each option's label is a full sentence. */
export function OptionsFields({ form }: { form: MeetingForm }) {
  const { t } = useTranslation('schedule')
  return groups.map(({ name, options }) => (
    <Fieldset key={name} legend={t(`options.${name}`)} variant="unstyled" classNames={classes}>
      <Stack gap="sm" mt="sm">
        {options.map((option) => (
          <Checkbox
            key={option}
            label={t(`options.${option}`)}
            {...form.getInputProps(`options.${option}`, { type: 'checkbox' })}
          />
        ))}
      </Stack>
    </Fieldset>
  ))
}
