import { Button } from '@mantine/core'
import { IconVolume } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { playTestSound } from './test-sound.ts'

/** Test the chosen speaker with three tones. */
export function SpeakerTest({ speakerId }: { speakerId: string | undefined }) {
  const { t } = useTranslation('room')
  const [playing, setPlaying] = useState(false)
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const gone = new AbortController()
    leaving.current = gone
    return () => gone.abort()
  }, [])
  const play = async () => {
    const { signal } = leaving.current
    setPlaying(true)
    await playTestSound(speakerId, signal)
    if (!signal.aborted) setPlaying(false)
  }
  return (
    <div>
      <Button variant="default" leftSection={<IconVolume size={18} aria-hidden />} disabled={playing} onClick={play}>
        {t('devices.testSpeaker')}
      </Button>
      <span role="status" className="hidden">
        {playing ? t('devices.testing') : ''}
      </span>
    </div>
  )
}
