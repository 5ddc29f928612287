import { NativeSelect, Stack, Switch } from '@mantine/core'
import type { AdvancedOptions } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { writeDuration } from '../meetings/schedule/calendar-words.ts'
import {
  type EntryChoice,
  entryChoiceOf,
  entryChoices,
  minuteMs,
  withEntryChoice,
} from '../meetings/schedule/meeting-draft.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useMail, usePerson } from '../session/session.ts'
import { SettingsSection } from './SettingsPage.tsx'
import { type ProfileChanges, useSaveProfile } from './settings-mutations.ts'

const usualMinutes = [15, 25, 30, 45, 50, 60, 90, 120]

type SwitchName = Exclude<keyof AdvancedOptions, 'isRestrictedMeeting' | 'loggedInOnly' | 'colleagueOnly'>

const entrySwitches = ['waitingRoom', 'joinBeforeHost'] as const satisfies SwitchName[]
const deviceSwitches = [
  'hostVideo',
  'hostAudio',
  'participantVideo',
  'participantAudio',
  'participantHardAudioMute',
] as const satisfies SwitchName[]

/** What new meetings begin with. Each one can differ in the form. */
export function NewMeetingsSection() {
  const { t, i18n } = useTranslation(['settings', 'schedule'])
  const { meetingDefaults } = usePerson()
  const { mail, mailIsSent } = useMail()
  const { durationMinutes, sendUpdates, advancedOptions: options } = meetingDefaults
  const { mutate, error } = useSaveProfile({ atOnce: true })
  const save = (what: string, changes: NonNullable<ProfileChanges['meetingDefaults']>) =>
    mutate({ what, changes: { meetingDefaults: changes } })
  const { isRestrictedMeeting, loggedInOnly, colleagueOnly } = options
  const entry = { isRestrictedMeeting, loggedInOnly, colleagueOnly }
  const switchOf = (name: SwitchName) => {
    const label = t(`schedule:options.${name}`)
    return (
      <Switch
        key={name}
        label={label}
        // When off, the border identifies the switch (WCAG 2.2, 1.4.11).
        styles={{ track: { borderColor: 'var(--parley-edge)' } }}
        checked={options[name]}
        onChange={({ currentTarget: { checked } }) => save(label, { advancedOptions: { [name]: checked } })}
      />
    )
  }
  // A length that another client has set stays available.
  const lengths = [...new Set([...usualMinutes, durationMinutes])].toSorted((one, other) => one - other)
  return (
    <SettingsSection title={t('newMeetings.title')} explanation={t('newMeetings.explanation')}>
      <ProblemAlert error={error} />
      <Stack gap="md">
        <NativeSelect
          label={t('newMeetings.length')}
          value={String(durationMinutes)}
          data={lengths.map((minutes) => ({
            value: String(minutes),
            label: writeDuration(minutes * minuteMs, i18n.language),
          }))}
          onChange={({ currentTarget: { value } }) => save(t('newMeetings.length'), { durationMinutes: Number(value) })}
        />
        <NativeSelect
          label={t('schedule:options.entry')}
          value={entryChoiceOf(entry)}
          data={entryChoices.map((value) => ({ value, label: t(`schedule:options.who.${value}`) }))}
          onChange={({ currentTarget: { value } }) =>
            save(t('schedule:options.entry'), { advancedOptions: withEntryChoice(entry, value as EntryChoice) })
          }
        />
        {entrySwitches.map(switchOf)}
        {deviceSwitches.map(switchOf)}
        {mailIsSent && (
          <Switch
            label={t(`schedule:tells.new.${mail}`)}
            styles={{ track: { borderColor: 'var(--parley-edge)' } }}
            checked={sendUpdates === 'all'}
            onChange={({ currentTarget: { checked } }) =>
              save(t(`schedule:tells.new.${mail}`), { sendUpdates: checked ? 'all' : 'none' })
            }
          />
        )}
      </Stack>
    </SettingsSection>
  )
}
