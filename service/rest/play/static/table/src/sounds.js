import { settings } from "./storage.js";
const NOTES = {
    card: [[0, 0, 0.05]],
    deal: [[0, 0, 0.05], [0, 0.08, 0.05], [0, 0.16, 0.05]],
    bid: [[330, 0, 0.07]],
    trick: [[0, 0, 0.12]],
    won: [[523, 0, 0.09], [659, 0.08, 0.14]],
    turn: [[587, 0, 0.08], [784, 0.09, 0.12]],
    victory: [[523, 0, 0.12], [659, 0.12, 0.12], [784, 0.24, 0.12], [1047, 0.36, 0.3]],
};
const VOLUME = 0.06;
let context;
export function play(sound) {
    if (!(settings.get("sounds") ?? false) || !navigator.userActivation?.hasBeenActive)
        return;
    context ??= new AudioContext();
    for (const [frequency, start, length] of NOTES[sound])
        note(context, frequency, context.currentTime + start, length);
}
function note(audio, frequency, start, length) {
    const gain = audio.createGain();
    gain.gain.setValueAtTime(VOLUME, start);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
    gain.connect(audio.destination);
    const source = frequency ? tone(audio, frequency) : paper(audio, length);
    source.connect(gain);
    source.start(start);
    source.stop(start + length);
}
function tone(audio, frequency) {
    const source = audio.createOscillator();
    source.type = "triangle";
    source.frequency.value = frequency;
    return source;
}
function paper(audio, length) {
    const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
    buffer.getChannelData(0).forEach((_, at, samples) => (samples[at] = Math.random() * 2 - 1));
    const source = audio.createBufferSource();
    source.buffer = buffer;
    return source;
}
