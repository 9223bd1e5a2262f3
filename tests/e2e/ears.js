/** The device's ears and screen, noted: what was played, said, shown and felt. Put in before the page's own scripts. */
window.ears = { opened: [], played: 0, pitches: [], said: [], buzzed: [], shown: [], hide: null };
{
  const { ears } = window;
  const Real = window.AudioContext;
  window.AudioContext = class extends Real {
    constructor() {
      super();
      ears.opened.push("AudioContext");
    }
  };
  const start = AudioScheduledSourceNode.prototype.start;
  AudioScheduledSourceNode.prototype.start = function (...when) {
    ears.played += 1;
    if (this.frequency) ears.pitches.push(this.frequency.value);
    return start.apply(this, when);
  };
  const ramp = AudioParam.prototype.exponentialRampToValueAtTime;
  AudioParam.prototype.exponentialRampToValueAtTime = function (value, at) {
    ears.pitches.push(value);
    return ramp.call(this, value, at);
  };
  const voice = { name: "Chinese", lang: "zh-CN", default: true, localService: true, voiceURI: "zh" };
  const speech = {
    pending: false,
    getVoices: () => [voice],
    cancel() {},
    speak: (words) => ears.said.push(`${words.lang}:${words.text}`),
  };
  Object.defineProperty(window, "speechSynthesis", { value: speech });
  window.SpeechSynthesisUtterance = class {
    constructor(text) {
      this.text = text;
    }
  };
  navigator.vibrate = (ms) => ears.buzzed.push(String(ms));
  const shown = (title, how) => ears.shown.push(`${title} ${how?.body ?? ""}`);
  const Asked = window.Notification;
  window.Notification = class {
    static permission = "granted";
    static requestPermission = () => Asked.requestPermission();
    constructor(title, how) {
      shown(title, how);
    }
    close() {}
  };
  if (window.ServiceWorkerRegistration) {
    ServiceWorkerRegistration.prototype.showNotification = async (title, how) => void shown(title, how);
  }
  ears.hide = (hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => (hidden ? "hidden" : "visible") });
    document.dispatchEvent(new Event("visibilitychange"));
  };
}
