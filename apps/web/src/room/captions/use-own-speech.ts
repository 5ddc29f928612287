import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readClockMs } from '../../ui/hooks/use-now.ts'
import { showToast } from '../../ui/toast.ts'
import { useVisited } from '../room-context.ts'
import type { CaptionChoice } from './caption-choice.ts'
import { chooseSpokenLanguage, listSpokenLanguages, type SpokenLanguage } from './speech-languages.ts'
import { findLocalRecognition, type LocalRecognition, recognizeSpeech } from './speech-recognizer.ts'
import { useCaptionsWanted } from './use-captions.ts'

/** The captions of what the caller says, made on this device. */
export type OwnSpeech = {
  /** Undefined until the browser has answered; empty where it recognises nothing on this device. */
  languages: readonly SpokenLanguage[] | undefined
  language: SpokenLanguage | undefined
  /** A language is being downloaded. */
  isInstalling: boolean
  /** What the caller says now is captioned. */
  isRunning: boolean
  /** Another person reads captions, and the caller has not decided yet, or the language is not here any more. */
  isAsked: boolean
  setOn(on: boolean): void
  setLanguage(tag: string): void
}

type Dependencies = {
  choice: CaptionChoice
  choose(changed: Partial<CaptionChoice>): void
  microphoneOn: boolean
  /** The caller looks at the settings. */
  areSettingsOpen: boolean
}

/**
 * Caption what the caller says, once the caller has agreed, while the microphone is on and a person reads captions. Only
 * on this device: a browser that would send the sound elsewhere is not used (decision 0178).
 */
export function useOwnSpeech({ choice, choose, microphoneOn, areSettingsOpen }: Dependencies): OwnSpeech {
  const { t } = useTranslation(['room', 'call'])
  const { room } = useVisited()
  const wanted = useCaptionsWanted()
  const [recognition] = useState(() => findLocalRecognition(window))
  const [isInstalling, setInstalling] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const isRead = wanted || choice.showsSpeech
  const [languages, setLanguages] = useLanguages(recognition, isRead || areSettingsOpen)
  const language = chooseSpokenLanguage(languages ?? [], choice.speechLanguage, navigator.languages)
  const isReady = recognition !== undefined && language?.availability === 'available'
  const isRunning = isReady && !hasFailed && choice.writesSpeech === true && isRead && microphoneOn
  const track = useMicrophoneTrack(isRunning)
  const tag = language?.tag

  useEffect(() => {
    if (!isRunning || recognition === undefined || tag === undefined || track === undefined) return
    return recognizeSpeech({
      recognition,
      language: tag,
      track,
      nowMs: readClockMs,
      // Without a connection, the page says so; words that were lost with it are not sent later.
      onText: (text, isFinal) =>
        void room.captions.write(text, { isFinal, isTyped: false, language: tag }).catch(() => {}),
      onFailure() {
        setFailed(true)
        showToast({ kind: 'problem', about: 'captions', message: t('call:captions.speech.failed') })
      },
    })
  }, [isRunning, recognition, room, tag, track, t])

  async function install(wantedTag: string) {
    setInstalling(true)
    const isInstalled = await recognition?.install({ langs: [wantedTag], processLocally: true }).catch(() => false)
    setInstalling(false)
    if (recognition !== undefined) setLanguages(await listSpokenLanguages(recognition, navigator.languages))
    if (isInstalled) return
    choose({ writesSpeech: false })
    showToast({ kind: 'problem', about: 'captions', message: t('call:captions.speech.notInstalled') })
  }

  function installIfMissing(chosen: SpokenLanguage | undefined) {
    if (chosen !== undefined && chosen.availability !== 'available') void install(chosen.tag)
  }

  return {
    languages: recognition === undefined ? [] : languages,
    language,
    isInstalling,
    isRunning: isRunning && track !== undefined,
    isAsked:
      wanted &&
      language !== undefined &&
      !isInstalling &&
      choice.writesSpeech !== false &&
      !(isReady && choice.writesSpeech === true),
    setOn(on) {
      setFailed(false)
      choose({ writesSpeech: on })
      if (on) installIfMissing(language)
    },
    setLanguage(chosen) {
      setFailed(false)
      choose({ speechLanguage: chosen })
      if (choice.writesSpeech === true) installIfMissing(languages?.find((one) => one.tag === chosen))
    },
  }
}

type Languages = readonly SpokenLanguage[] | undefined

/** Ask the browser once, when the answer is needed. */
function useLanguages(recognition: LocalRecognition | undefined, isNeeded: boolean) {
  const [languages, setLanguages] = useState<Languages>()
  const asks = isNeeded && recognition !== undefined && languages === undefined
  useEffect(() => {
    if (!asks) return
    let isCurrent = true
    void listSpokenLanguages(recognition, navigator.languages).then((listed) => isCurrent && setLanguages(listed))
    return () => {
      isCurrent = false
    }
  }, [asks, recognition])
  return [languages, setLanguages] as const
}

/** The room has no event for another microphone or another effect. */
const pollMs = 500

function useMicrophoneTrack(isNeeded: boolean): MediaStreamTrack | undefined {
  const { room } = useVisited()
  const [track, setTrack] = useState<MediaStreamTrack>()
  useEffect(() => {
    if (!isNeeded) return
    const read = () => setTrack(room.microphoneTrack())
    read()
    const timer = setInterval(read, pollMs)
    return () => {
      clearInterval(timer)
      setTrack(undefined)
    }
  }, [room, isNeeded])
  return track
}
