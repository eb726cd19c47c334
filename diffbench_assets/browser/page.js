// What runs inside a loaded page: a snapshot of its elements, trials of mutations by layout alone, and the mutations
// themselves. Installed once per document by Playwright's evaluate; page scripts are off, so nothing here may wait for
// a callback (no promises, no timers, no animation frames).
(() => {
  const STYLES = [
    'font-weight', 'font-size', 'letter-spacing', 'line-height', 'color', 'background-color', 'background-image',
    'opacity', 'position', 'top', 'right', 'bottom', 'left', 'translate', 'display', 'flex-direction',
    'inset', 'inset-inline', 'inset-block', 'justify-content', 'gap', 'column-gap', 'row-gap', 'padding',
    'padding-inline', 'padding-block', 'padding-top', 'padding-right', 'padding-bottom', 'padding-left', 'border-width',
    'border-top-width', 'border-right-width', 'border-bottom-width', 'border-left-width', 'border-top-style',
    'border-top-color', 'border-radius', 'background-clip', 'direction',
  ];
  const ROLES = {
    A: 'link', BUTTON: 'button', NAV: 'navigation', HEADER: 'header', FOOTER: 'footer', ASIDE: 'sidebar', IMG: 'image',
    SVG: 'icon', H1: 'heading', H2: 'heading', H3: 'heading', H4: 'heading', H5: 'heading', H6: 'heading', P: 'paragraph',
    LI: 'list item', UL: 'list', OL: 'list', TABLE: 'table', TH: 'table header', TD: 'table cell', TR: 'table row',
    INPUT: 'input', TEXTAREA: 'input', SELECT: 'dropdown', LABEL: 'label', SECTION: 'section', ARTICLE: 'article',
    FORM: 'form', BLOCKQUOTE: 'quote', FIGURE: 'figure', FIGCAPTION: 'caption', TIME: 'date', MAIN: 'main area',
  };
  const IGNORED = new Set(['SCRIPT', 'STYLE', 'LINK', 'META', 'BR', 'WBR', 'OPTION', 'TITLE', 'HEAD', 'HTML', 'BODY',
    'OPTGROUP', 'COL', 'COLGROUP', 'NOSCRIPT', 'TEMPLATE', 'SOURCE', 'AREA', 'MAP']);

  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const brush = canvas.getContext('2d', { willReadFrequently: true });
  const painted = new Map();
  // The colour as Chromium paints it, so that records show sRGB bytes whatever notation the stylesheet used.
  const rgb = (css) => {
    let value = painted.get(css);
    if (value === undefined) {
      brush.clearRect(0, 0, 1, 1);
      brush.fillStyle = css;
      brush.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data;
      value = a === 255 ? `rgb(${r}, ${g}, ${b})` : `rgba(${r}, ${g}, ${b}, ${+(a / 255).toFixed(3)})`;
      painted.set(css, value);
    }
    return value;
  };
  const COLOR = /\b(?:oklch|oklab|lab|lch|rgba?|hsla?|hwb|color)\([^()]*\)/g;
  // Tailwind 4 writes a full radius as infinity, which Chromium computes to its largest length.
  const readable = (value) => value.replace(COLOR, rgb).replace(/\b3\.35544e\+07px\b/g, '9999px');

  const rect = (r) => [r.x, r.y, r.width, r.height];
  const isInner = (el) => el.closest('svg') && el.tagName.toLowerCase() !== 'svg';

  const selectorOf = (el) => {
    const parts = [];
    for (let at = el; at !== document.body; at = at.parentElement) {
      parts.unshift(`${at.localName}:nth-child(${[...at.parentElement.children].indexOf(at) + 1})`);
    }
    return ['body', ...parts].join(' > ');
  };

  // A computed line height of "normal" has no number: measure one line of the element's font.
  const lineHeight = (el, style) => {
    if (style.lineHeight !== 'normal') return style.lineHeight;
    const probe = document.createElement('div');
    probe.textContent = 'x';
    probe.style.cssText = 'all:initial;position:absolute;visibility:hidden;padding:0;border:0';
    probe.style.font = style.font;
    document.body.append(probe);
    const height = probe.getBoundingClientRect().height;
    probe.remove();
    return `${height}px`;
  };

  const range = document.createRange();
  const textRect = (node, from, to) => {
    range.setStart(node, from);
    range.setEnd(node, to);
    return range.getBoundingClientRect();
  };
  const intersect = (a, b) => {
    const x = Math.max(a[0], b[0]), y = Math.max(a[1], b[1]);
    return [x, y, Math.max(0, Math.min(a[0] + a[2], b[0] + b[2]) - x), Math.max(0, Math.min(a[1] + a[3], b[1] + b[3]) - y)];
  };

  // A clip without the end of the lines where an ellipsis stands for what was cut.
  const withoutEllipsis = (el, style, [x, y, width, height]) => {
    const cut = style.textOverflow === 'ellipsis' && el.scrollWidth > el.clientWidth
      || style.webkitLineClamp !== 'none' && el.scrollHeight > el.clientHeight;
    if (!cut) return [x, y, width, height];
    const rtl = style.direction === 'rtl';
    const end = 1.5 * parseFloat(style.fontSize) + parseFloat(rtl ? style.paddingLeft : style.paddingRight);
    return [rtl ? x + end : x, y, width - end, height];
  };

  let elements = [];
  let things = [];
  let before = null;

  const boxOf = (thing) => thing.nodeType === 3 ? textRect(thing, 0, thing.length) : thing.getBoundingClientRect();
  const measure = () => Float64Array.from(things.flatMap((thing) => rect(boxOf(thing))));

  const snapshot = () => {
    const view = [0, 0, innerWidth, innerHeight];
    const clips = new Map([[document.body, view]]);
    const textClips = new Map([[document.body, view]]);
    const alive = new Set([document.body]);
    elements = [];
    things = [];
    ownedThings = new Map();
    const rows = [];
    for (const el of document.body.querySelectorAll('*')) {
      if (IGNORED.has(el.tagName) || isInner(el)) continue;
      const r = el.getBoundingClientRect();
      const style = getComputedStyle(el);
      const near = r.bottom > -innerHeight && r.y < 2 * innerHeight;
      if (near) things.push(el);
      const parent = el.parentElement;
      const parentClip = clips.get(parent) || view;
      const box = rect(r);
      const fixed = style.position === 'fixed';
      clips.set(el, style.overflowX !== 'visible' ? intersect(fixed ? view : parentClip, box) : fixed ? view : parentClip);
      const textClip = intersect(fixed ? view : textClips.get(parent) || view, clips.get(el));
      textClips.set(el, withoutEllipsis(el, style, textClip));
      if (!alive.has(parent) || style.display === 'none' || +style.opacity === 0) continue;
      alive.add(el);
      const visible = intersect(parentClip, box);
      const mixed = el.firstElementChild !== null;
      const own = [];
      const lines = new Set();
      for (let n = 0; n < el.childNodes.length; n++) {
        const node = el.childNodes[n];
        if (node.nodeType !== 3 || !node.data.trim()) continue;
        if (mixed && near) things.push(node);
        own.push({ node: n, text: node.data, visible: textClips.get(el) });
        range.selectNodeContents(node);
        for (const line of range.getClientRects()) lines.add(Math.round(line.bottom));
      }
      if (visible[2] < 4 || visible[3] < 4 || style.visibility !== 'visible') continue;
      let hits = 0;
      for (const [fx, fy] of [[0.5, 0.5], [0.2, 0.3], [0.8, 0.3], [0.2, 0.7], [0.8, 0.7]]) {
        const at = document.elementFromPoint(visible[0] + fx * visible[2], visible[1] + fy * visible[3]);
        if (at && (el === at || el.contains(at))) hits++;
      }
      const css = {};
      for (const name of STYLES) css[name] = readable(style.getPropertyValue(name));
      css['line-height'] = lineHeight(el, style);
      rows.push({
        index: elements.length, selector: selectorOf(el), tag: el.localName,
        role: el.getAttribute('role') || ROLES[el.tagName.toUpperCase()] || '',
        text: String(el.innerText || el.value || el.placeholder || el.alt || el.getAttribute('aria-label') || '').trim().split('\n')[0].slice(0, 120),
        classes: (el.getAttribute('class') || '').split(/\s+/).filter(Boolean),
        box, visible, hits, own, children: el.childElementCount, style: css, lines: lines.size,
      });
      elements.push(el);
    }
    before = measure();
    return rows;
  };

  const swap = (el, from, to) => {
    const tokens = (el.getAttribute('class') || '').split(/\s+/).filter(Boolean);
    el.setAttribute('class', tokens.map((t) => t === from ? to : t).join(' '));
  };
  const DRAWN = {
    img: ['src'],
    svg: ['viewBox', 'fill', 'stroke', 'stroke-width', 'stroke-linecap', 'stroke-linejoin', 'preserveAspectRatio'],
  };
  const set = (el, name, value) => value === null ? el.removeAttribute(name) : el.setAttribute(name, value);
  // Applies one edit, as `pairs/edits.py` does to stored HTML; returns what undoes it.
  const apply = (el, edit) => {
    const { kind, name, value } = edit;
    if (kind === 'text') {
      const node = el.childNodes[edit.node], text = node.data;
      node.data = value;
      return () => { node.data = text; };
    }
    const drawing = kind === 'drawing' && el.localName === 'svg' || kind === 'content';
    const inner = drawing ? el.innerHTML : null;
    const names = kind === 'drawing' ? DRAWN[el.localName] : kind === 'content' ? [] : [kind === 'attribute' ? name : kind];
    const saved = names.map((each) => [each, el.getAttribute(each)]);
    if (kind === 'class') swap(el, name, value);
    else if (kind === 'style') {
      const old = (el.getAttribute('style') || '').trim().replace(/;$/, '');
      el.setAttribute('style', `${old}${old ? '; ' : ''}${name}: ${value} !important`);
    } else if (kind === 'attribute') set(el, name, value);
    else if (kind === 'content') el.innerHTML = value;
    else {
      const model = document.querySelector(value);
      for (const each of names) set(el, each, model.getAttribute(each));
      if (drawing) el.innerHTML = model.innerHTML;
    }
    return () => {
      if (drawing) el.innerHTML = inner;
      for (const [each, was] of saved) if (el.getAttribute(each) !== was) set(el, each, was);
    };
  };
  const undo = (undos) => undos.reverse().forEach((each) => each());

  const near = (a, b) => {
    const x = parseFloat(a), y = parseFloat(b);
    if (/^-?[\d.]+(px|em)?$/.test(a) && /^-?[\d.]+(px|em)?$/.test(b)) return Math.abs(x - y) < 0.02;
    if (a.includes('gradient(')) return a === b || (a.match(COLOR) || []).some((color) => near(color, b));
    const p = a.match(/[\d.]+/g), q = b.match(/[\d.]+/g);
    return a.startsWith('rgb') && b.startsWith('rgb') ? p.length === q.length && p.every((v, i) => Math.abs(v - q[i]) < 3) : a === b;
  };
  const computed = (el, property) => readable(getComputedStyle(el).getPropertyValue(property));

  const paints = (el) => {
    const style = getComputedStyle(el);
    return style.backgroundImage !== 'none' || style.borderTopWidth !== '0px' || style.boxShadow !== 'none'
      || !/(, 0|\/ 0)\)$/.test(style.backgroundColor) || ['IMG', 'svg', 'INPUT', 'SELECT', 'TEXTAREA'].includes(el.tagName);
  };
  const ownTexts = (el) => [...el.childNodes].filter((n) => n.nodeType === 3 && n.data.trim()).map((n) => rect(textRect(n, 0, n.length)));

  // Layout of the boxes near the viewport after a mutation of `owner`: does anything else move, and does anything of its
  // own that shows? Stops at the first other box that moved.
  let now = null;
  const compare = (owner, owned) => {
    if (!now || now.length !== before.length) now = new Float64Array(before.length);
    let shift = 0;
    for (let i = 0; i < things.length; i++) {
      const k = 4 * i;
      const r = boxOf(things[i]);
      now[k] = r.x; now[k + 1] = r.y; now[k + 2] = r.width; now[k + 3] = r.height;
      const change = Math.abs(r.x - before[k]) + Math.abs(r.y - before[k + 1])
        + Math.abs(r.width - before[k + 2]) + Math.abs(r.height - before[k + 3]);
      if (change === 0) continue;
      if (!owned[i]) return { moved: true, shift };
      if (things[i] !== owner || paints(owner)) shift += change;
    }
    return { moved: false, shift };
  };
  let ownedThings = new Map();
  const ownedBy = (el) => {
    let owned = ownedThings.get(el);
    if (!owned) ownedThings.set(el, owned = things.map((thing) => el === thing || el.contains(thing)));
    return owned;
  };
  // All that the element is known to draw on, before and after: shared frames keep these apart. A shadow has no box, so
  // it is given room.
  const SHADOW = 48;
  const reach = (el, owned, boxes) => {
    let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const rects of boxes === before ? [before] : [before, boxes]) {
      for (let i = 0; i < things.length; i++) {
        const k = 4 * i;
        if (!owned[i] || rects[k + 2] === 0 || rects[k + 3] === 0) continue;
        x0 = Math.min(x0, rects[k]); y0 = Math.min(y0, rects[k + 1]);
        x1 = Math.max(x1, rects[k] + rects[k + 2]); y1 = Math.max(y1, rects[k + 1] + rects[k + 3]);
      }
    }
    const room = getComputedStyle(el).boxShadow === 'none' ? 0 : SHADOW;
    return [x0 - room, y0 - room, x1 - x0 + 2 * room, y1 - y0 + 2 * room];
  };

  const attempt = (mutation, owned) => {
    const el = elements[mutation.element];
    const was = mutation.property === 'text' ? null : computed(el, mutation.property);
    const box = rect(el.getBoundingClientRect());
    const texts = mutation.shifts ? ownTexts(el) : null;
    const undos = mutation.edits.map((edit) => apply(el, edit));
    const result = { reason: null };
    const after = mutation.property === 'text' ? null : computed(el, mutation.property);
    if (after !== null && after === was) result.reason = 'shadowed';
    else if (after !== null && mutation.expect && !mutation.expect.some((value) => near(after, value))) result.reason = 'shadowed';
    else {
      result.after = after;
      result.box = rect(el.getBoundingClientRect());
      if (mutation.layout) {
        const { moved, shift } = compare(el, owned);
        if (moved) result.reason = 'moves_other';
        if (!moved && mutation.shifts && shift === 0 && String(texts) === String(ownTexts(el))) result.reason = 'invisible';
      }
      if (!result.reason && (mutation.silhouette || String(box) !== String(result.box)) && getComputedStyle(el).boxShadow !== 'none') {
        result.reason = 'casts_shadow';
      }
      if (!result.reason) result.reach = reach(el, owned, mutation.layout ? now : before);
      if (!result.reason && mutation.property === 'text') {
        const edit = mutation.edits[0];
        result.ink = rect(textRect(el.childNodes[edit.node], edit.first, edit.last + 1));
      }
    }
    undo(undos);
    return result;
  };

  // For each operator, groups are tried in order, and the mutations of a group from the smallest: what a small change already breaks, a
  // larger one is not tried on. After `want` elements with every tier the rest is left alone.
  const trial = (operators, want) => operators.map((groups) => tryGroups(groups, want));
  const tryGroups = (groups, want) => {
    const results = [];
    const whole = new Set();
    for (const group of groups) {
      if (whole.size >= want) break;
      if (whole.has(group[0].element)) { results.push([]); continue; }
      const owned = ownedBy(elements[group[0].element]);
      const outcomes = [];
      for (const mutation of group) {
        outcomes.push(attempt(mutation, owned));
        if (outcomes[outcomes.length - 1].reason) break;
      }
      if (outcomes.length === 3 && !outcomes[2].reason) whole.add(group[0].element);
      results.push(outcomes);
    }
    return results;
  };

  // Applies several mutations at once; returns false (and undoes them) when their boxes are not the ones each had alone.
  let undos = [];
  const enter = (mutations) => {
    undos = mutations.flatMap((m) => m.edits.map((edit) => apply(elements[m.element], edit)));
    return mutations.every((m) => rect(elements[m.element].getBoundingClientRect()).every((v, i) => v === m.box[i]));
  };
  const leave = () => { undo(undos); undos = []; };

  window.diffbench = { snapshot, trial, enter, leave, apply };
})()
