import { NativeSelect, Stack, useMantineColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { setLanguage } from '../texts/i18n.ts'
import { isLanguage, languages } from '../texts/languages.ts'

const schemes = ['auto', 'light', 'dark'] as const

/** The language and the colours of the pages; both are kept in this browser. */
export function Appearance() {
  const { t, i18n } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Stack gap="xs">
      <NativeSelect
        size="xs"
        aria-label={t('appearance.language')}
        value={i18n.language}
        onChange={({ currentTarget: { value } }) => isLanguage(value) && void setLanguage(value)}
      >
        {languages.map(({ code, name }) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        size="xs"
        aria-label={t('appearance.scheme')}
        value={colorScheme}
        onChange={({ currentTarget: { value } }) => setColorScheme(schemes.find((one) => one === value) ?? 'auto')}
      >
        {schemes.map((scheme) => (
          <option key={scheme} value={scheme}>
            {t(`appearance.${scheme}`)}
          </option>
        ))}
      </NativeSelect>
    </Stack>
  )
}
