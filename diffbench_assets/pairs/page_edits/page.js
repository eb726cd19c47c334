// What runs inside a loaded page beside `browser/page.js`, which applies edits: more about its elements, and trials of
// edits by layout alone. Page scripts are off, so nothing here may wait for a callback.
(() => {
  const SHADOW = 48;
  const CAST = 12;
  const CLEARANCE = 4;
  const FRINGE = 1;
  const NEAR = 6;
  const find = (selector) => document.querySelector(selector);
  const rect = (r) => [r.x, r.y, r.width, r.height];
  const line = (text) => (text || '').trim().split('\n')[0].slice(0, 120);
  const inSvg = (el) => el.tagName.toLowerCase() !== 'svg' && el.closest('svg');
  // A thing of a scene: scenes cast one shadow for all their things.
  const drawn = (el) => el.dataset.kind !== undefined && inSvg(el);
  const seen = (el) => getComputedStyle(el).visibility === 'visible';

  const painted = (el) => {
    const style = getComputedStyle(el);
    const border = ['Top', 'Right', 'Bottom', 'Left'].filter((side) => style[`border${side}Style`] !== 'none'
      && parseFloat(style[`border${side}Width`]) > 0).length;
    return style.backgroundImage !== 'none' || style.boxShadow !== 'none' || border > 1
      || !/^(transparent|rgba\(.*, 0\)|.*\/ 0\))$/.test(style.backgroundColor);
  };
  const casts = (el) => {
    const style = getComputedStyle(el);
    return style.boxShadow !== 'none' || style.textShadow !== 'none' || style.filter !== 'none';
  };
  const replaced = (el) => ['IMG', 'SVG', 'INPUT', 'SELECT', 'TEXTAREA', 'PROGRESS', 'METER', 'CANVAS'].includes(el.tagName.toUpperCase());

  // The text of the smallest surrounding that has some, for things without text of their own.
  const beside = (el) => {
    for (let at = el.parentElement, n = 0; at && at !== document.body && n < NEAR; at = at.parentElement, n++) {
      const text = line(at.innerText);
      if (text) return at.offsetWidth * at.offsetHeight < 0.1 * innerWidth * innerHeight ? text : '';
    }
    return '';
  };
  const shownText = (el) => {
    if (el.innerText) return line(el.innerText);
    const typed = el.tagName === 'TEXTAREA' || el.tagName === 'INPUT' && !['checkbox', 'radio', 'range', 'color', 'file', 'image'].includes(el.type);
    return typed ? line(el.value || el.placeholder) : '';
  };
  // How far a bar is filled, 0…1: a native one, or a painted box whose only child is a painted box of part of its width.
  const gauge = (el) => {
    if (el.tagName === 'PROGRESS' && el.hasAttribute('value')) return el.position;
    if (el.tagName === 'INPUT' && el.type === 'range') {
      const low = +(el.min || 0), high = +(el.max || 100);
      return high > low ? (+el.value - low) / (high - low) : null;
    }
    const fill = el.firstElementChild;
    if (el.childElementCount !== 1 || el.innerText?.trim() || el.offsetHeight > 40 || el.offsetWidth < 3 * el.offsetHeight) return null;
    if (inSvg(fill) || fill.childElementCount || !painted(fill) || !painted(el)) return null;
    const r = fill.getBoundingClientRect(), box = el.getBoundingClientRect();
    const share = r.width / el.clientWidth;
    return Math.abs(r.height - box.height) < 3 && Math.abs(r.x - box.x) < 3 && share > 0.05 && share < 0.97 ? share : null;
  };
  // Children that are all of one kind and of about one size, on one row or column.
  const kin = (el) => {
    const kids = [...el.children];
    if (kids.length < 3 || kids.length > 8 || new Set(kids.map((kid) => kid.tagName)).size > 1) return 0;
    const rects = kids.map((kid) => kid.getBoundingClientRect());
    const of = (name) => rects.map((r) => r[name]);
    const spread = (values) => Math.max(...values) - Math.min(...values);
    if (Math.min(...of('width'), ...of('height')) < 6 || Math.min(...of('y')) < 0 || Math.max(...of('bottom')) > innerHeight) return 0;
    if (spread(of('height')) > 2 || spread(of('y')) > 2 && spread(of('x')) > 2 || !kids.every(seen)) return 0;
    return kids.length;
  };

  const details = (selectors) => selectors.map((selector) => {
    const el = find(selector);
    const style = getComputedStyle(el);
    const tag = el.localName;
    const plain = ['transform', 'rotate', 'scale', 'translate'].every((name) => style[name] === 'none');
    const shown = shownText(el);
    return {
      shown, beside: shown ? '' : beside(el), painted: painted(el), type: tag === 'input' ? el.type : '',
      on: !!(el.checked || el.open), gauge: gauge(el), span: [+(el.min || 0), +(el.max || 100)], kin: kin(el), kin_tag: el.firstElementChild?.localName || '',
      kin_painted: !!el.firstElementChild && painted(el.firstElementChild),
      drawing: tag === 'img' ? el.getAttribute('src') || '' : tag === 'svg' ? `${el.getAttribute('viewBox')} ${el.innerHTML}` : '',
      pictured: el.closest('picture') !== null || el.hasAttribute('srcset') || el.querySelector('use') !== null,
      glyph: /icon|awesome|symbol|glyph/i.test(style.fontFamily), transform: style.textTransform,
      untransformed: plain, inline: style.display === 'inline' && !replaced(el), contents: style.display === 'contents',
    };
  });

  let things = [];
  let before = [];
  const range = document.createRange();
  const boxOf = (thing) => {
    if (thing.nodeType === 1) return thing.getBoundingClientRect();
    range.selectNodeContents(thing);
    return range.getBoundingClientRect();
  };
  const measure = () => things.map((thing) => rect(boxOf(thing)));
  const prepare = () => {
    things = [];
    ownedThings = new Map();
    for (const el of document.body.querySelectorAll('*')) {
      if (['SCRIPT', 'STYLE', 'OPTION', 'BR'].includes(el.tagName) || inSvg(el) && !drawn(el)) continue;
      const r = el.getBoundingClientRect();
      if (r.bottom < -innerHeight || r.y > 2 * innerHeight) continue;
      things.push(el);
      if (el.localName === 'svg' || drawn(el)) continue;
      for (const node of el.childNodes) if (node.nodeType === 3 && node.data.trim()) things.push(node);
    }
    before = measure();
  };

  const apply = (edit) => diffbench.apply(find(edit.selector), edit);

  const overlap = (a, b) => Math.max(0, Math.min(a[0] + a[2], b[0] + b[2]) - Math.max(a[0], b[0]))
    * Math.max(0, Math.min(a[1] + a[3], b[1] + b[3]) - Math.max(a[1], b[1]));
  const grown = ([x, y, width, height], by) => [x - by, y - by, width + 2 * by, height + 2 * by];
  const within = (a, b) => a[0] >= b[0] - 0.5 && a[1] >= b[1] - 0.5 && a[0] + a[2] <= b[0] + b[2] + 0.5 && a[1] + a[3] <= b[1] + b[3] + 0.5;

  // Whether a thing in another place or size comes upon what was clear of it, or out of what held it.
  const collides = (owner, owned, was, now) => {
    if (!within(now, [0, 0, innerWidth, innerHeight])) return true;
    for (let at = owner.parentElement; at && at !== document.body; at = at.parentElement) {
      const holds = painted(at) || getComputedStyle(at).overflowX !== 'visible';
      const box = rect(at.getBoundingClientRect());
      if (holds && within(was, box) && !within(now, box)) return true;
    }
    return things.some((thing, i) => !owned[i] && before[i][2] > 0 && overlap(now, before[i]) > overlap(was, before[i]) + 1
      && (thing.nodeType === 3 || !thing.contains(owner) && (replaced(thing) || painted(thing) || drawn(thing))));
  };

  let ownedThings = new Map();
  const ownedBy = (owner) => {
    let owned = ownedThings.get(owner);
    if (!owned) ownedThings.set(owner, owned = things.map((thing) => owner.contains(thing)));
    return owned;
  };

  const attempt = ({ selector, edits, roams }) => {
    const owner = find(selector);
    const was = rect(owner.getBoundingClientRect());
    const owned = ownedBy(owner);
    // A shadow has no box, and the edge of what is turned or scaled blends into the next pixel.
    const room = things.some((thing, i) => owned[i] && thing.nodeType === 1 && casts(thing)) ? SHADOW
      : drawn(owner) && casts(owner.parentElement) ? CAST : FRINGE;
    const clear = drawn(owner) ? CLEARANCE : 0;
    const undos = edits.map(apply);
    const undo = () => undos.reverse().forEach((each) => each());
    const result = { reason: null, box: rect(owner.getBoundingClientRect()), text: line(owner.innerText ?? owner.textContent) };
    if (roams && collides(owner, owned, was, grown(result.box, clear))) {
      undo();
      return { ...result, reason: 'collides' };
    }
    const after = measure();
    if (things.some((thing, i) => !owned[i] && after[i].some((v, k) => v !== before[i][k]))) result.reason = 'moves_other';
    else if (edits.some((e) => e.name === 'visibility') && things.some((thing) => thing.nodeType === 1
      && edits.some((e) => find(e.selector).contains(thing)) && seen(thing))) result.reason = 'still_shown';
    let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const boxes of [before, after]) {
      boxes.forEach(([x, y, width, height], i) => {
        if (!owned[i] || !width || !height) return;
        x0 = Math.min(x0, x); y0 = Math.min(y0, y); x1 = Math.max(x1, x + width); y1 = Math.max(y1, y + height);
      });
    }
    result.extent = [x0, y0, x1 - x0, y1 - y0];
    result.reach = grown(result.extent, room);
    const texts = edits.filter((e) => e.kind === 'text').map((e) => rect(boxOf(find(e.selector).childNodes[e.node])));
    result.ink = texts[0] || null;
    undo();
    return result;
  };
  const trial = (attempts) => { prepare(); return attempts.map(attempt); };

  const drawing = () => [...document.querySelectorAll('svg[data-place] g[data-kind]')].map((el) => {
    const style = getComputedStyle(el), text = el.querySelector('text');
    const { kind, zone, state, count, pattern } = el.dataset;
    return {
      id: el.id, kind, zone, state: state || '', count: +(count || 0), pattern: pattern || '', text: text?.textContent || '',
      color: style.color, translate: style.translate, rotate: style.rotate, scale: style.scale,
      place: el.closest('svg').dataset.place, box: rect(el.getBoundingClientRect()),
      label: text ? rect(text.getBoundingClientRect()) : null,
    };
  });

  let undos = [];
  const enter = (edits) => { undos = edits.map(apply); };
  const leave = () => { undos.reverse().forEach((undo) => undo()); undos = []; };

  window.semantic = { details, drawing, trial, enter, leave };
})()
