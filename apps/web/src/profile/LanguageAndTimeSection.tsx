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
import { Section } from '../ui/Section.tsx'
import { useSaveProfile } from './save-profile.ts'

const anHourMs = 3_600_000

/** The account's settings are saved on change; the language of the pages is stored in this browser. */
export function LanguageAndTimeSection() {
  const { t, i18n } = useTranslation(['profile', 'schedule'])
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
      </Stack>
    </Section>
  )
}

const languageOptions = () =>
  languages.map(({ code, name }) => (
    <option key={code} value={code} lang={code}>
      {name}
    </option>
  ))
