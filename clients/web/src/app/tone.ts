/** A short synthesised tone: no file to load, and no content policy to allow it. */

/** Frequencies in hertz, and start times in seconds. */
const NOTES = [
  [659, 0],
  [880, 0.16],
] as const;
const LENGTH = 0.35;
const LOUDNESS = 0.12;

/** Play the tone if the browser allows sound. */
export function playTone(): void {
  // Browsers block sound before the first click or key and log a warning, so do not try.
  if (navigator.userActivation?.hasBeenActive === false) return;
  try {
    const context = new AudioContext();
    for (const [pitch, after] of NOTES) {
      const from = context.currentTime + after;
      const loudness = new GainNode(context, { gain: 0 });
      loudness.gain.setValueAtTime(0, from);
      loudness.gain.linearRampToValueAtTime(LOUDNESS, from + 0.02);
      loudness.gain.exponentialRampToValueAtTime(0.0001, from + LENGTH);
      const note = new OscillatorNode(context, { frequency: pitch });
      note.connect(loudness).connect(context.destination);
      note.start(from);
      note.stop(from + LENGTH);
      if (after > 0) note.onended = () => void context.close().catch(() => {});
    }
  } catch {
    // The browser has no sound.
  }
}
