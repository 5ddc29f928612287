import { NativeSelect, Stack } from '@mantine/core'
import { isLanguage, languages } from '@parley/texts/languages'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { TimeZoneField } from '../meetings/schedule/TimeZoneField.tsx'
import { timeZonesQuery } from '../meetings/schedule/time-zones.ts'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { usePerson } from '../session/session.ts'
import { setLanguage } from '../texts/i18n.ts'
import { useNow } from '../ui/hooks/use-now.ts'
import { showToast } from '../ui/toast.ts'
import { AboutYouSection } from './AboutYouSection.tsx'
import { PortraitSection } from './PortraitSection.tsx'
import { SettingsPage, SettingsSection } from './SettingsPage.tsx'
import { SwitchesSection, schoolDeclarations } from './SwitchesSection.tsx'
import { subjectOfToasts, useSaveProfile } from './settings-mutations.ts'

/** Who the person is to others, their languages, and their time. */
export function ProfileSettings() {
  const { t } = useTranslation('settings')
  return (
    <SettingsPage tab="profile">
      <AboutYouSection />
      <PortraitSection />
      <LanguageAndTimeSection />
      <SwitchesSection title={t('school.title')} explanation={t('school.explanation')} switches={schoolDeclarations} />
    </SettingsPage>
  )
}

const anHourMs = 3_600_000

/** The language of the pages is stored in this browser, the rest in the account. */
function LanguageAndTimeSection() {
  const { t, i18n } = useTranslation(['settings', 'schedule'])
  const { timeZone, language } = usePerson()
  const now = useNow(anHourMs)
  const { data: codes = [], error: unread } = useQuery(timeZonesQuery)
  const { mutate, error } = useSaveProfile({ atOnce: true })
  const wrong = useFieldErrors()(error)
  const changeLanguage = async (code: string) => {
    if (!isLanguage(code)) return
    const before = i18n.language
    await setLanguage(code)
    // In the new language.
    const message = i18n.t('settings:saved', { what: i18n.t('settings:language.pages') })
    showToast({ about: subjectOfToasts, message, undo: () => isLanguage(before) && void setLanguage(before) })
  }
  return (
    <SettingsSection title={t('language.title')}>
      <ProblemAlert error={unread ?? error} />
      <Stack gap="md">
        <NativeSelect
          label={t('language.pages')}
          description={t('language.pagesExplanation')}
          value={i18n.language}
          onChange={({ currentTarget: { value } }) => void changeLanguage(value)}
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
    </SettingsSection>
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
