import { Button, NativeSelect, Stack, Switch, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Notice } from '../notices/Notice.tsx'
import type { SpokenLanguage } from './speech-languages.ts'
import type { CaptionTools } from './use-captions.ts'
import type { OwnSpeech } from './use-own-speech.ts'

type OwnSpeechProps = { captions: CaptionTools; speech: OwnSpeech }

/** Whether what the caller says is captioned, and in which language. */
export function OwnSpeechFields({ captions: { choice }, speech }: OwnSpeechProps) {
  const { t } = useTranslation('call')
  const labelOf = useLanguageLabel()
  const { languages, language, isInstalling, setOn, setLanguage } = speech
  if (languages === undefined) return null
  if (languages.length === 0) return <Text size="sm">{t('captions.speech.unsupported')}</Text>
  return (
    <Stack gap="xs">
      <Switch
        label={t('captions.speech.write')}
        description={t('captions.speech.writeHint')}
        checked={choice.writesSpeech === true}
        disabled={language === undefined}
        onChange={({ currentTarget: { checked } }) => setOn(checked)}
      />
      <NativeSelect
        label={t('captions.speech.language')}
        value={language?.tag ?? ''}
        disabled={isInstalling}
        data={[
          ...(language === undefined ? [{ value: '', label: '' }] : []),
          ...languages.map((one) => ({ value: one.tag, label: labelOf(one) })),
        ]}
        onChange={({ currentTarget: { value } }) => setLanguage(value)}
      />
      <Text size="sm" role="status">
        {isInstalling && t('captions.speech.installing')}
      </Text>
    </Stack>
  )
}

/** Ask a speaker whose device can write captions, once another person reads them; who that is, remains unsaid. */
export function OwnSpeechQuestion({ speech, onSettings }: { speech: OwnSpeech; onSettings(): void }) {
  const { t } = useTranslation('call')
  const labelOf = useLanguageLabel()
  const { isAsked, language, setOn } = speech
  return (
    <div role="status">
      {isAsked && language !== undefined && (
        <Notice
          tone="request"
          actions={
            <>
              <Button size="sm" onClick={() => setOn(true)}>
                {t('captions.speech.write')}
              </Button>
              <Button size="sm" variant="default" onClick={onSettings}>
                {t('captions.open')}
              </Button>
              <Button size="sm" variant="default" onClick={() => setOn(false)}>
                {t('captions.speech.decline')}
              </Button>
            </>
          }
        >
          {t('captions.speech.asked', { language: labelOf(language) })}
        </Notice>
      )}
    </div>
  )
}

/** The language's name, and whether it has to be downloaded. */
function useLanguageLabel(): (language: SpokenLanguage) => string {
  const { t, i18n } = useTranslation('call')
  const names = new Intl.DisplayNames([i18n.language], { type: 'language' })
  return ({ tag, availability }) => {
    const language = names.of(tag) ?? tag
    return availability === 'available' ? language : t('captions.speech.download', { language })
  }
}
