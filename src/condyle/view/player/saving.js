// What is seen as a file: a picture, or a film of the motion from its start to its end, encoded by the browser.
const FILM_RATE = 30, FILM_KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];
const copy = document.createElement("canvas"), pen = copy.getContext("2d");
let recorder = null;

// the picture with the names and the size of the squares that lie over it
function compose() {
  const r = canvas.width / canvas.clientWidth, around = $("stage").getBoundingClientRect();
  if (copy.width !== canvas.width || copy.height !== canvas.height) { copy.width = canvas.width; copy.height = canvas.height; }
  pen.drawImage(canvas, 0, 0);
  pen.textBaseline = "middle"; pen.lineWidth = 3 * r; pen.strokeStyle = "#fffa"; pen.fillStyle = "#18202a";
  for (const e of [...(state.shown.names ? names : []), $("squares")]) {
    const box = e.getBoundingClientRect(), x = r * (box.x - around.x), y = r * (box.y + box.height / 2 - around.y);
    pen.font = `${parseFloat(getComputedStyle(e).fontSize) * r}px system-ui`;
    pen.strokeText(e.textContent, x, y); pen.fillText(e.textContent, x, y);
  }
}
function save(blob, suffix) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob); link.download = $("title").textContent.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60) + suffix;
  link.click(); setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  tell("saved " + link.download);
}
function savePicture() { draw(); compose(); copy.toBlob(blob => save(blob, ".png"), "image/png"); }
function startFilm() {
  const kind = FILM_KINDS.find(x => MediaRecorder.isTypeSupported(x)), found = [];
  stop(0); compose();
  recorder = new MediaRecorder(copy.captureStream(FILM_RATE), { mimeType: kind, videoBitsPerSecond: 8e6 });
  recorder.ondataavailable = e => found.push(e.data);
  recorder.onstop = () => { recorder = null; $("film").textContent = "Film"; save(new Blob(found, { type: "video/webm" }), ".webm"); };
  recorder.start(); $("film").textContent = "Stop"; play(true); tell("filming");
}
const endFilm = () => { if (recorder?.state === "recording") { compose(); recorder.stop(); } };
$("picture").onclick = savePicture;
$("film").onclick = () => recorder ? (endFilm(), play(false)) : startFilm();
if (typeof MediaRecorder === "undefined" || !FILM_KINDS.some(x => MediaRecorder.isTypeSupported(x))) {
  $("film").disabled = true; $("film").title = "this browser cannot record a film";
}
