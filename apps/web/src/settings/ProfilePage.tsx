import { Button, Group, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core'
import { isLanguage, languages } from '@parley/texts/languages'
import { IconVideo } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { FeedSection } from '../meetings/CalendarFeed.tsx'
import { writeCode } from '../meetings/meeting-status.ts'
import { TimeZoneField } from '../meetings/schedule/TimeZoneField.tsx'
import { timeZonesQuery } from '../meetings/schedule/time-zones.ts'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { usePerson } from '../session/session.ts'
import { setLanguage } from '../texts/i18n.ts'
import { CopyField } from '../ui/CopyField.tsx'
import { useNow } from '../ui/hooks/use-now.ts'
import { Page } from '../ui/Page.tsx'
import { Portrait, portraits } from '../ui/Portrait.tsx'
import { Section } from '../ui/Section.tsx'
import { AboutYouSection } from './AboutYouSection.tsx'
import classes from './Settings.module.css'
import { SwitchesSection, schoolDeclarations, settingGroups } from './SwitchesSection.tsx'
import { useSaveProfile } from './settings-mutations.ts'

/** The profile: fields that the person can edit, and read-only fields. */
export function ProfilePage() {
  const { t } = useTranslation(['settings', 'app'])
  return (
    <Page title={t('app:navigation.pages.profile')} width="narrow">
      <Stack gap="lg">
        <AboutYouSection />
        <PortraitSection />
        <LanguageAndTimeSection />
        {settingGroups.map(({ group, switches }) => (
          <SwitchesSection key={group} title={t(`groups.${group}`)} switches={switches} />
        ))}
        <RoomSection />
        <FeedSection />
        <SwitchesSection
          title={t('school.title')}
          explanation={t('school.explanation')}
          switches={schoolDeclarations}
        />
      </Stack>
    </Page>
  )
}

/** Choose one of the built-in avatars: initials on a coloured background. */
function PortraitSection() {
  const { t } = useTranslation('settings')
  const { avatar, name, lname } = usePerson()
  const { mutate, error } = useSaveProfile({ atOnce: true })
  return (
    <Section title={t('portrait.title')}>
      <ProblemAlert error={error} />
      <fieldset className={classes.portraits}>
        <legend>
          <Text c="dimmed" mb="sm">
            {t('portrait.explanation')}
          </Text>
        </legend>
        {portraits.map((number) => (
          <label key={number} className={classes.choice}>
            <input
              type="radio"
              name="portrait"
              className="hidden"
              checked={avatar === number}
              onChange={() => mutate({ what: t('portrait.title'), changes: { avatar: number } })}
            />
            <span className="hidden">{t('portrait.number', { number: number + 1 })}</span>
            <Portrait number={number} name={name} lastName={lname} />
          </label>
        ))}
      </fieldset>
    </Section>
  )
}

const anHourMs = 3_600_000

/** The account's settings are saved on change; the language of the pages is stored in this browser. */
function LanguageAndTimeSection() {
  const { t, i18n } = useTranslation(['settings', 'schedule'])
  const { timeZone, language } = usePerson()
  const now = useNow(anHourMs)
  const { data: codes = [], error: unread } = useQuery(timeZonesQuery)
  const { mutate, error } = useSaveProfile({ atOnce: true })
  const wrong = useFieldErrors()(error)
  return (
    <Section title={t('language.title')}>
      <ProblemAlert error={unread ?? error} />
      <Stack gap="md">
        <NativeSelect
          label={t('language.pages')}
          description={t('language.pagesExplanation')}
          value={i18n.language}
          onChange={({ currentTarget: { value } }) => isLanguage(value) && void setLanguage(value)}
        >
          {languageOptions()}
        </NativeSelect>
        <NativeSelect
          label={t('language.mails')}
          description={t('language.mailsExplanation')}
          value={language}
          error={wrong.language}
          onChange={({ currentTarget: { value } }) =>
            mutate({ what: t('language.mails'), changes: { language: isLanguage(value) ? value : '' } })
          }
        >
          <option value="">{t('language.hosts')}</option>
          {languageOptions()}
        </NativeSelect>
        <TimeZoneField
          label={t('schedule:when.timeZone')}
          description={t('language.zoneExplanation')}
          placeholder={t('language.noZone')}
          codes={codes}
          at={now}
          profileTimeZone={timeZone}
          value={timeZone === '' ? null : timeZone}
          error={wrong.timeZone}
          clearable
          clearButtonProps={{ 'aria-label': t('language.clearZone') }}
          onChange={(chosen) => mutate({ what: t('schedule:when.timeZone'), changes: { timeZone: chosen ?? '' } })}
        />
        <TimeFormatFields />
      </Stack>
    </Section>
  )
}

/** "8:00 PM" or "20:00", and the first column of calendars. */
function TimeFormatFields() {
  const { t, i18n } = useTranslation('settings')
  const { hourCycle, firstDayOfWeek } = usePerson()
  const { mutate, error } = useSaveProfile({ atOnce: true })
  const nameOf = new Intl.DateTimeFormat(i18n.language, { weekday: 'long', timeZone: 'UTC' })
  const fields = [
    {
      name: 'hourCycle',
      value: hourCycle,
      options: [
        { value: 'h12', label: t('language.hours12') },
        { value: 'h23', label: t('language.hours24') },
      ],
    },
    {
      name: 'firstDayOfWeek',
      value: firstDayOfWeek,
      options: daysThatBeginWeeks.map(({ value, date }) => ({ value, label: nameOf.format(date) })),
    },
  ] as const
  return (
    <>
      <ProblemAlert error={error} />
      {fields.map(({ name, value, options }) => (
        <NativeSelect
          key={name}
          label={t(`language.${name}`)}
          value={value}
          data={[{ value: '', label: t('language.asUsual') }, ...options]}
          onChange={({ currentTarget }) =>
            mutate({ what: t(`language.${name}`), changes: { [name]: currentTarget.value } })
          }
        />
      ))}
    </>
  )
}

/** 1 January 2024 was a Monday. */
const daysThatBeginWeeks = [
  { value: 'mon', date: Date.UTC(2024, 0, 1) },
  { value: 'sat', date: Date.UTC(2024, 0, 6) },
  { value: 'sun', date: Date.UTC(2024, 0, 7) },
] as const

const languageOptions = () =>
  languages.map(({ code, name }) => (
    <option key={code} value={code} lang={code}>
      {name}
    </option>
  ))

/** The permanent own room; its code is assigned. */
function RoomSection() {
  const { t } = useTranslation(['settings', 'app'])
  const { svcMeetId, roomPIN } = usePerson()
  const hash = `pin=${roomPIN}`
  return (
    <Section title={t('room.title')}>
      <Text c="dimmed" mb="md">
        {t('room.explanation')}
      </Text>
      <Stack gap="md">
        <CopyField label={t('app:link')} value={`${window.location.origin}/j/${svcMeetId}#${hash}`} />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <CopyField label={t('app:meetingId')} value={writeCode(svcMeetId)} />
          <CopyField label={t('app:pin')} value={roomPIN} />
        </SimpleGrid>
        <Group>
          <Button
            renderRoot={(props) => <Link to="/j/$code" params={{ code: svcMeetId }} hash={hash} {...props} />}
            leftSection={<IconVideo size={18} aria-hidden />}
          >
            {t('room.go')}
          </Button>
        </Group>
      </Stack>
    </Section>
  )
}
