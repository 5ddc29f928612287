import { SpeakerInfo, SpeakersChanged } from '@livekit/protocol'
import type { Publication } from './publication.ts'

/** Louder than this, in -dBov (RFC 6464), is speech. */
const speechThreshold = 35
/** This many loud packets of 20 ms within an interval of 400 ms are speech rather than a short noise. */
const minLoudPackets = 6
/** Levels are rounded to eighths, so that small changes cause no message. */
const steps = 8

type Observation = { publication: Publication; loud: number[] }

/** Detects the active speakers of a room and reports changes. */
export class Speakers {
  readonly #observations = new Map<string, Observation>()
  #levels = new Map<string, number>()

  watch(publication: Publication): void {
    if (publication.kind !== 'audio') return
    const observation: Observation = { publication, loud: [] }
    this.#observations.set(publication.sid, observation)
    publication.onAudioLevel = (level) => {
      if (level <= speechThreshold) observation.loud.push(level)
    }
  }

  unwatch(publication: Publication): void {
    this.#observations.delete(publication.sid)
    publication.onAudioLevel = undefined
  }

  /** The changes since the last call; undefined if there are none. */
  takeChanges(): SpeakersChanged | undefined {
    const levels = new Map<string, number>()
    for (const { publication, loud } of this.#observations.values()) {
      const level = speechLevel(loud)
      loud.length = 0
      const { sid } = publication.publisher
      if (level > (levels.get(sid) ?? 0)) levels.set(sid, level)
    }
    const before = this.#levels
    this.#levels = levels
    const speaking = [...levels].filter(([sid, level]) => before.get(sid) !== level)
    const silent = [...before.keys()].filter((sid) => !levels.has(sid))
    if (speaking.length + silent.length === 0) return undefined
    return new SpeakersChanged({
      speakers: [
        ...speaking.map(([sid, level]) => new SpeakerInfo({ sid, level, active: true })),
        ...silent.map((sid) => new SpeakerInfo({ sid, level: 0, active: false })),
      ],
    })
  }
}

/** What a participant learns of the changes: who speaks among those it hears, and who no longer speaks. */
export function speakersAmong(
  { speakers }: SpeakersChanged,
  isReceived: (participantSid: string) => boolean,
): SpeakersChanged | undefined {
  const received = speakers.filter(({ sid, active }) => !active || isReceived(sid))
  return received.length === 0 ? undefined : new SpeakersChanged({ speakers: received })
}

/** The speech level from 0 (silence) to 1, from the levels of loud packets in -dBov. */
export function speechLevel(loud: readonly number[]): number {
  if (loud.length < minLoudPackets) return 0
  const decibels = loud.reduce((sum, level) => sum + level, 0) / loud.length
  return Math.ceil(10 ** (-decibels / 20) * steps) / steps
}
