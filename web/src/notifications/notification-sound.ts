/** The sounds of notifications. They are computed, so nothing is loaded for them. */

interface Note {
  /** Hz */
  pitch: number
  /** seconds after the begin */
  start: number
  /** seconds until it has faded */
  length: number
}

/** The notes of each sound, under the names of the setting `notification_sound`. */
const sounds: Readonly<Record<string, readonly Note[]>> = {
  ding: [{ pitch: 1318.5, start: 0, length: 0.9 }],
  zulip: [
    { pitch: 784, start: 0, length: 0.3 },
    { pitch: 1046.5, start: 0.12, length: 0.6 },
  ],
}

const LOUDNESS = 0.12

let context: AudioContext | undefined

/**
 * Plays a sound. It plays nothing for `none`, and nothing before the user has clicked or typed in the page, because
 * browsers refuse it.
 */
export const playSound = async (name: string): Promise<void> => {
  const notes = sounds[name]
  if (notes === undefined || !navigator.userActivation.hasBeenActive) return
  context ??= new AudioContext()
  await context.resume()
  for (const note of notes) playNote(context, note)
}

/** A tone with one overtone that fades like a bell. */
const playNote = (audio: AudioContext, { pitch, start, length }: Note): void => {
  const begin = audio.currentTime + start
  for (const [multiple, share] of [
    [1, 1],
    [2.76, 0.25],
  ] as const) {
    const tone = new OscillatorNode(audio, { frequency: pitch * multiple })
    const volume = new GainNode(audio, { gain: 0 })
    volume.gain.setValueAtTime(0.0001, begin)
    volume.gain.exponentialRampToValueAtTime(LOUDNESS * share, begin + 0.01)
    volume.gain.exponentialRampToValueAtTime(0.0001, begin + length)
    tone.connect(volume).connect(audio.destination)
    tone.start(begin)
    tone.stop(begin + length)
  }
}
