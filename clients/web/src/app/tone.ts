/** A short tone, made here: there is no file to load, and nothing that a policy would have to allow. */

/** Hertz, and when each begins, in seconds. */
const NOTES = [
  [659, 0],
  [880, 0.16],
] as const;
const LENGTH = 0.35;
const LOUDNESS = 0.12;

/** Let it be heard, if the browser lets the page make any sound. */
export function tone(): void {
  // Before the first click or key browsers refuse, and say so in the console; then it is not even tried.
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
    // A browser without sound.
  }
}
