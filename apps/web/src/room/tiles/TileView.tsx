import type { Participant } from '@parley/client/join'
import { IconHandStop, IconMicrophoneOff, IconVolume, IconWifi1, IconWifiOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { PlayedPicture } from '../media/PlayedPicture.tsx'
import type { Tile } from './arrange-tiles.ts'
import { PersonPortrait } from './PersonPortrait.tsx'
import classes from './TileView.module.css'

type TileViewProps = { tile: Tile; large?: boolean }

/** One face or one screen, with all that has to be known of its person; what is shown by colour is also shown by shape. */
export function TileView({ tile: { person: seen, source }, large = false }: TileViewProps) {
  const { t } = useTranslation('room')
  const person = seen.name === '' ? { ...seen, name: t('guest') } : seen
  const picture = source === 'screen' ? person.screen : person.camera
  const speaks = source === 'camera' && person.speaking
  return (
    <li className={classes.tile} data-source={source} data-large={large} data-speaking={speaks} data-person={person.id}>
      {picture === null ? (
        <PersonPortrait name={person.name} />
      ) : (
        <PlayedPicture
          picture={picture}
          whole={source === 'screen'}
          mirrored={person.isMe && source === 'camera'}
          label={t(source === 'screen' ? 'tile.screenOf' : 'tile.cameraOf', { name: person.name })}
        />
      )}
      <div className={classes.caption}>
        {speaks && <IconVolume size={16} role="img" aria-label={t('tile.speaking')} />}
        {source === 'camera' && person.muted && <IconMicrophoneOff size={16} role="img" aria-label={t('tile.muted')} />}
        <span className={classes.name}>{captionOf({ person, source }, t)}</span>
        {source === 'camera' && <QualityMark person={person} />}
      </div>
      {source === 'camera' && person.handPlace !== null && (
        <span className={classes.hand}>
          <IconHandStop size={16} aria-hidden />
          <span className="hidden">{t('tile.hand')}</span>
          {person.handPlace}
        </span>
      )}
    </li>
  )
}

type Translate = ReturnType<typeof useTranslation<'room'>>['t']

function captionOf({ person, source }: Pick<Tile, 'person' | 'source'>, t: Translate): string {
  if (source === 'screen') return person.isMe ? t('tile.yourScreen') : t('tile.screenOf', { name: person.name })
  const name = person.isMe ? t('tile.you', { name: person.name }) : person.name
  return person.role === 'participant' ? name : t(`tile.${person.role}`, { name })
}

/** Only what is worth knowing: a connection that is as it should be has no mark. */
function QualityMark({ person: { quality } }: { person: Participant }) {
  const { t } = useTranslation('room')
  if (quality === 'poor') return <IconWifi1 size={16} role="img" aria-label={t('tile.quality.poor')} />
  if (quality === 'lost') return <IconWifiOff size={16} role="img" aria-label={t('tile.quality.lost')} />
  return null
}
