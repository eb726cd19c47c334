// The two images of a question: side by side, flickering, magnified, and with the pixels that differ marked.
// Belongs here: pictures only. Does not belong here: options and decisions (review.js).

const ZOOMS = [0, 1, 2, 4]; // 0 fits the stage; else screen pixels for a pixel.
const CLICK_ZOOM = 2;
const FLICKER_MS = 500; // Below three flashes a second, for people whom flashing harms.
const [RED, GREEN, BLUE] = [213, 0, 127]; // of the marks

export function makeViewer(root) {
  const find = (selector) => root.querySelector(selector);
  const stages = find(".stages");
  const scrollers = [...root.querySelectorAll(".stage")];
  const images = [...root.querySelectorAll("img")];
  const canvas = find("canvas");
  const state = { zoom: 0, flicker: 0, overlay: false, shown: 0 };

  function show(urls, names) {
    state.shown += 1;
    images.forEach((image, i) => {
      image.src = urls[i];
      image.alt = `Image ${"AB"[i]}, the one ${names[i]}`;
    });
    find("#measured").textContent = "";
    canvas.hidden = true;
    scrollers.forEach((scroller) => scroller.scrollTo(0, 0));
    refresh();
  }

  async function refresh() {
    const ofQuestion = state.shown;
    try {
      await Promise.all(images.map((image) => image.decode()));
    } catch {
      if (ofQuestion === state.shown) find("#measured").textContent = "The images cannot be read from the lake.";
      return;
    }
    if (ofQuestion !== state.shown) return;
    resize();
    canvas.hidden = !state.overlay;
    if (state.overlay) find("#measured").textContent = drawDifferences(images, canvas);
  }

  function resize() {
    for (const image of images) {
      image.style.width = state.zoom ? `${image.naturalWidth * state.zoom}px` : "";
    }
    if (state.zoom) stages.dataset.zoom = state.zoom;
    else delete stages.dataset.zoom;
    find("#zoomed").textContent = state.zoom ? `${state.zoom}×` : "fit";
  }

  function zoom() {
    state.zoom = ZOOMS[(ZOOMS.indexOf(state.zoom) + 1) % ZOOMS.length];
    resize();
  }

  function zoomWhereClicked(event) {
    const image = event.currentTarget.querySelector("img");
    const box = image.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    state.zoom = state.zoom ? 0 : CLICK_ZOOM;
    resize();
    const stage = event.currentTarget;
    stage.scrollTo(x * image.offsetWidth - stage.clientWidth / 2, y * image.offsetHeight - stage.clientHeight / 2);
  }

  function flicker() {
    clearInterval(state.flicker);
    state.flicker = state.flicker ? 0 : setInterval(swap, FLICKER_MS);
    if (state.flicker) stages.dataset.front = "a";
    else delete stages.dataset.front;
    find("#flicker").setAttribute("aria-pressed", String(Boolean(state.flicker)));
  }

  function swap() {
    stages.dataset.front = stages.dataset.front === "a" ? "b" : "a";
  }

  function overlay() {
    state.overlay = !state.overlay;
    find("#overlay").setAttribute("aria-pressed", String(state.overlay));
    find("#measured").textContent = "";
    refresh();
  }

  for (const scroller of scrollers) {
    scroller.addEventListener("click", zoomWhereClicked);
    scroller.addEventListener("scroll", () => {
      for (const other of scrollers) other.scrollTo(scroller.scrollLeft, scroller.scrollTop);
    });
  }
  find("#flicker").addEventListener("click", flicker);
  find("#overlay").addEventListener("click", overlay);
  find("#zoom").addEventListener("click", zoom);
  return { show, flicker, overlay, zoom };
}

// Paints what differs onto the canvas, stronger where it differs more, and says in words how much that is.
function drawDifferences(images, canvas) {
  const width = Math.min(...images.map((image) => image.naturalWidth));
  const height = Math.min(...images.map((image) => image.naturalHeight));
  const [a, b] = images.map((image) => pixels(image, width, height));
  [canvas.width, canvas.height] = [images[1].naturalWidth, images[1].naturalHeight];
  const marked = new ImageData(width, height);
  const out = marked.data;
  let [count, most] = [0, 0];
  for (let i = 0; i < a.length; i += 4) {
    const step = Math.max(Math.abs(a[i] - b[i]), Math.abs(a[i + 1] - b[i + 1]), Math.abs(a[i + 2] - b[i + 2]));
    count += step > 0;
    most = Math.max(most, step);
    out[i] = step ? RED : 255;
    out[i + 1] = step ? GREEN : 255;
    out[i + 2] = step ? BLUE : 255;
    out[i + 3] = step ? Math.min(255, 80 + 5 * step) : 120;
  }
  canvas.getContext("2d").putImageData(marked, 0, 0);
  const sameSize = images[0].naturalWidth === images[1].naturalWidth && images[0].naturalHeight === images[1].naturalHeight;
  const share = (100 * count) / (width * height);
  const percent = share && share < 0.01 ? "under 0.01" : share.toFixed(2);
  const words = count ? `${percent} % of the pixels differ, by up to ${most} of 255` : "No pixel differs";
  return sameSize ? `${words}.` : `${words}; the images differ in size, and only what they share is compared.`;
}

function pixels(image, width, height) {
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, width, height).data;
}
