// Sounds, made as they are played: no file is fetched for them.

// kinds are notes: of so many hertz, after and for so many seconds, so loud; noise where there is no pitch.
const kinds = {
  turn: [[660, 0, 0.2, 0.07]],
  lay: [[0, 0, 0.045, 0.16]],
  flip: [[0, 0, 0.03, 0.1], [0, 0.05, 0.04, 0.14]],
  chips: [[2300, 0, 0.03, 0.03], [2900, 0.06, 0.03, 0.03], [2500, 0.12, 0.03, 0.03]],
  no: [[150, 0, 0.14, 0.09]],
  yawn: [[420, 0, 0.25, 0.05], [300, 0.2, 0.3, 0.05], [210, 0.45, 0.45, 0.05]],
  win: [[523, 0, 0.14, 0.06], [659, 0.12, 0.14, 0.06], [784, 0.24, 0.14, 0.06], [1047, 0.36, 0.4, 0.06]],
};

let audio;

// play makes a sound of that kind, if the browser has any: Safari has none in Lockdown Mode. Without a kind it only gets ready, which takes
// longer than a frame.
export function play(kind) {
  if (!window.AudioContext) return;
  audio ??= new AudioContext();
  if (audio.state !== "running") {
    audio.resume().catch(() => {}); // Nobody had touched the page yet, or somebody is on the phone: what was to be heard then isn't heard later, all at once.
    return;
  }
  for (const [pitch, after, length, loud] of kinds[kind] || []) {
    const from = audio.currentTime + after;
    const volume = new GainNode(audio, { gain: loud });
    volume.gain.setValueAtTime(loud, from);
    volume.gain.exponentialRampToValueAtTime(0.0001, from + length);
    const source = pitch ? new OscillatorNode(audio, { frequency: pitch, type: pitch > 2000 ? "triangle" : "sine" }) : new AudioBufferSourceNode(audio, { buffer: hiss(audio.sampleRate, length) });
    source.connect(volume).connect(audio.destination);
    source.start(from);
    source.stop(from + length);
  }
}

// hiss is the sound of a card on cloth.
function hiss(rate, length) {
  const buffer = audio.createBuffer(1, Math.ceil(rate * length), rate);
  const wave = buffer.getChannelData(0);
  for (let i = 0; i < wave.length; i++) wave[i] = (Math.random() * 2 - 1) * (1 - i / wave.length);
  return buffer;
}
