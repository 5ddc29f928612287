/** In hertz: three rising tones stand out from the noise of a room. */
const tones = [440, 554, 659] as const
const toneSeconds = 0.35
const loudness = 0.2

/** Resolves when the sound has ended or was aborted. A missing speaker is replaced by the default one. */
export async function playTestSound(speakerId: string | undefined, signal: AbortSignal): Promise<void> {
  const audio = new AudioContext()
  const output = new MediaStreamAudioDestinationNode(audio)
  const player = new Audio()
  player.srcObject = output.stream
  try {
    // Absent in Safari before 18.4.
    if (speakerId !== undefined && 'setSinkId' in player) await player.setSinkId(speakerId).catch(() => {})
    await player.play()
    const volume = new GainNode(audio, { gain: loudness })
    volume.connect(output)
    await Promise.all(
      tones.map((frequency, index) => {
        const tone = new OscillatorNode(audio, { frequency })
        tone.connect(volume)
        const from = audio.currentTime + index * toneSeconds
        tone.start(from)
        tone.stop(from + toneSeconds)
        return new Promise<void>((resolve) => {
          tone.onended = () => resolve()
          signal.addEventListener('abort', () => resolve())
        })
      }),
    )
  } catch {
    // The browser blocks playback and says so in its address bar.
  } finally {
    player.srcObject = null
    void audio.close()
  }
}
