// What a rendered page holds, written down as text with references, and the boxes that only a picture can show.
//
// Runs in an isolated world: the page's scripts cannot see or change anything here. The tree is read through the
// prototypes' own getters, because a form's or a document's named elements would answer in their place.
// `diffbenchSnapshot(input)` returns JSON text. `input.scripts` says whether scripts ran in the page; then they may have
// changed its stylesheets, and `input.sheets` maps the address of each to its text.
(() => {
  const getter = (prototype, name) => {
    const get = Object.getOwnPropertyDescriptor(prototype, name).get;
    return (object) => get.call(object);
  };
  const childNodes = getter(Node.prototype, "childNodes");
  const parentNode = getter(Node.prototype, "parentNode");
  const textOf = getter(Node.prototype, "textContent");
  const attributesOf = getter(Element.prototype, "attributes");
  const tagOf = getter(Element.prototype, "localName");
  const openShadowOf = getter(Element.prototype, "shadowRoot");
  const namespaceOf = getter(Element.prototype, "namespaceURI");
  const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);
  const boxOf = (element) => Element.prototype.getBoundingClientRect.call(element);
  const matches = (element, selector) => Element.prototype.matches.call(element, selector);
  const sheetsOf = getter(Document.prototype, "styleSheets");
  const adoptedOf = getter(Document.prototype, "adoptedStyleSheets");
  const root = getter(Document.prototype, "documentElement")(document);
  const head = getter(Document.prototype, "head")(document);
  const body = getter(Document.prototype, "body")(document);
  const doctype = getter(Document.prototype, "doctype")(document);
  const base = getter(Node.prototype, "baseURI")(document);
  const HTML = "http://www.w3.org/1999/xhtml";
  const MATHML = "http://www.w3.org/1998/Math/MathML";

  const VOID = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr"]);
  const GONE = new Set(["script", "noscript", "template", "base", "meta", "source", "track", "param", "noembed",
    "noframes", "portal", "fencedframe", "bgsound", "animate", "animateTransform", "animateMotion", "set", "mpath",
    "discard", "title", "datalist", "handler", "listener"]);
  const PICTURED = new Set(["iframe", "frame", "embed", "object", "applet", "video", "audio"]);
  // What the parser reads in a way of its own, or what moves, under a name that it reads like any other.
  const RENAMED = { noscript: "x-noscript", object: "x-object", plaintext: "pre", xmp: "pre", marquee: "div" };
  const NO_STAND_INS = new Set(["head", "table", "thead", "tbody", "tfoot", "tr", "colgroup", "select", "optgroup",
    "datalist", "html", "body", "picture", "video", "audio", "object"]);
  // Attributes that make the browser load or do something; all others stay, as style rules may look at them.
  const DROPPED = new Set(["src", "srcset", "integrity", "nonce", "srcdoc", "autoplay", "ping", "http-equiv",
    "imagesrcset", "poster", "decoding", "manifest", "attributionsrc", "codebase", "archive", "classid", "data", "is"]);
  const LINKS = new Set(["href", "xlink:href"]);
  const FOLLOWED = new Set(["action", "formaction", "cite", "longdesc"]);
  const PAINT = new Set(["fill", "stroke", "clip-path", "mask", "filter", "marker", "marker-start", "marker-mid",
    "marker-end", "cursor"]);
  const SCRIPT = /^[\s\x00-\x20]*((java|vb|live)[\s\x00-\x20]*script|data)[\s\x00-\x20]*:/i;
  const NAME = /^[a-z_][-\w.:]*$/i;
  const MAX_BOXES = 60, MAX_FROZEN = 4000, MAX_NODES = 60000, MAX_DEPTH = 2000;
  const MAX_ATTRIBUTES = 1000; // of an element: a browser's and a parser's time grows with their square

  // Pseudo-elements and frozen elements are described by these; logical twins would say the same again.
  const LOGICAL = new RegExp("^(" + [
    "-webkit-", "(min-|max-)?(block|inline)-size$", "inset-(block|inline)", ".*-(block|inline)(-|$)",
    "perspective-origin$", "transition", "animation", "cursor$", "pointer-events$", "user-select$",
    "will-change$", "caret-color$", "contain-intrinsic", "overflow-(block|inline)", "offset-", "view-", "scroll-", "timeline-",
    "app-region", "font-synthesis", "interactivity", "interpolate-size"].join("|") + ")");
  const LINE_WIDTH = /^(border-(top|right|bottom|left)|outline|column-rule)-width$/;
  const INHERITED = new RegExp("^(" + [
    "font", "color$", "line-height", "letter-spacing", "word-",
    "text-(align|indent|transform|shadow|wrap|orientation|rendering|emphasis|underline-(position|offset)|autospace|spacing|size)",
    "white-space", "direction$", "visibility$", "list-style", "border-(collapse|spacing)", "caption-side",
    "empty-cells", "quotes", "tab-size", "hyphen", "overflow-wrap", "line-break", "writing-mode", "fill",
    "stroke", "paint-order", "clip-rule", "cursor", "accent-color", "color-scheme", "caret-color", "orphans",
    "widows", "dominant-baseline", "text-anchor", "shape-rendering", "image-rendering", "image-orientation",
    "ruby-"].join("|") + ")");

  // Shadow roots that only their makers see, by host; they are handed over before the snapshot.
  const closed = new Map();
  globalThis.diffbenchClosed = (shadow) => closed.set(shadow.host, shadow);
  const shadowOf = (element) => openShadowOf(element) || closed.get(element) || null;

  globalThis.diffbenchSnapshot = (input) => {
    if (!body || tagOf(body) !== "body") return JSON.stringify({ failure: "no_body" });
    if (Element.prototype.getElementsByTagName.call(root, "*").length > MAX_NODES) {
      return JSON.stringify({ failure: "too_many_nodes" });
    }
    for (const animation of Document.prototype.getAnimations.call(document)) {
      if (animation instanceof CSSAnimation || animation instanceof CSSTransition) continue;
      try { animation.commitStyles(); animation.cancel(); } catch { /* its target is gone */ }
    }

    const parts = [], sheets = [], boxes = [];
    const sheetNumbers = new Map();
    const texts = new Map();
    const names = new Set(), features = new Set();
    let text = "", nodes = 0, frozenElements = 0;
    const write = (more) => { text += more; };
    const refer = (reference) => { parts.push(text, reference); text = ""; };
    const escapeText = (value) => value.replace(/&/g, "&amp;").replace(/\u00a0/g, "&nbsp;").replace(/</g, "&lt;")
      .replace(/>/g, "&gt;");
    const escapeAttribute = (value) => value.replace(/&/g, "&amp;").replace(/\u00a0/g, "&nbsp;")
      .replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
    const absolute = (address) => { try { return new URL(address, base).href; } catch { return ""; } };
    const writeAttribute = (name, value) => write(` ${name}="${escapeAttribute(value)}"`);

    // ---- stylesheets

    const rulesOf = (sheet) => { try { return [...sheet.cssRules]; } catch { return null; } };
    const isImport = (rule) => rule instanceof CSSImportRule;

    // The text as its author wrote it, unless scripts changed the rules: then as the browser has them. The browser's
    // own wording loses shorthands that hold variables, so it is the second choice.
    const readSheet = (sheet, source, address) => {
      if (!input.scripts) return source === undefined ? { sheet: address, base: address } : { css: source, base: address };
      const rules = rulesOf(sheet);
      if (rules === null) return source === undefined ? null : { css: source, base: address };
      const live = rules.filter((rule) => !isImport(rule)).map((rule) => rule.cssText);
      if (source !== undefined) {
        try {
          const fresh = new CSSStyleSheet({ baseURL: address });
          fresh.replaceSync(source);
          const written = [...fresh.cssRules].map((rule) => rule.cssText);
          if (written.length === live.length && written.every((rule, at) => rule === live[at])) {
            return { css: source, base: address };
          }
        } catch { /* the browser's own wording then */ }
      }
      return { css: rules.map((rule) => rule.cssText).join("\n"), base: address };
    };

    const addSheet = (sheet, owner) => {
      if (sheet.disabled) return;
      const address = sheet.href || base;
      const inline = owner && tagOf(owner) === "style" ? textOf(owner) : undefined;
      const source = inline === undefined ? input.sheets?.[sheet.href] : inline;
      const read = readSheet(sheet, source, address);
      if (read === null || read.css === "") return;
      if (owner) sheetNumbers.set(owner, sheets.length);
      sheets.push({ ...read, media: sheet.media.mediaText });
    };
    for (const sheet of sheetsOf(document)) addSheet(sheet, sheet.ownerNode);
    const firstAdopted = sheets.length;
    // Whoever froze the page for its capture did so with a sheet that is not the page's own.
    const freeze = new CSSStyleSheet();
    freeze.replaceSync(input.freeze);
    const wording = (sheet) => [...sheet.cssRules].map((rule) => rule.cssText).join("");
    for (const sheet of adoptedOf(document)) if (wording(sheet) !== wording(freeze)) addSheet(sheet, null);

    // States that only scripts give: rules that ask for them are made to ask for these attributes.
    const states = new Map();
    if (input.scripts) {
      const asked = sheets.flatMap(({ css }) => [...css.matchAll(/:state\(\s*([-\w]+)\s*\)/g)].map((match) => match[1]));
      for (const name of new Set(asked)) {
        for (const element of Document.prototype.querySelectorAll.call(document, `:state(${name})`)) {
          states.set(element, [...(states.get(element) || []), name]);
        }
      }
    }
    const writeStates = (element) => {
      if (states.has(element)) writeAttribute("data-diffbench-state", states.get(element).join(" "));
      if (input.scripts && tagOf(element).includes("-") && !matches(element, ":defined")) {
        writeAttribute("data-diffbench-undefined", "");
      }
    };

    // Text that scripts highlighted: [start, end, name] by text node.
    const highlighted = new Map();
    const markRange = (range, name) => {
      const within = range.startContainer === range.endContainer ? range.startContainer : root;
      const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
      for (let node = within instanceof Text ? within : walker.nextNode(); node; node = walker.nextNode()) {
        const whole = document.createRange();
        whole.selectNodeContents(node);
        if (range.compareBoundaryPoints?.(Range.END_TO_START, whole) >= 0) continue;
        if (range.compareBoundaryPoints?.(Range.START_TO_END, whole) <= 0) continue;
        const start = node === range.startContainer ? range.startOffset : 0;
        const end = node === range.endContainer ? range.endOffset : node.length;
        if (start < end) highlighted.set(node, [...(highlighted.get(node) || []), [start, end, name]]);
      }
    };
    if (input.scripts && globalThis.CSS?.highlights) {
      for (const [name, ranges] of CSS.highlights) for (const range of ranges) markRange(range, name);
    }
    const writeText = (node, parent) => {
      const value = node.data;
      let at = 0;
      for (const [start, end, name] of (highlighted.get(node) || []).sort((a, b) => a[0] - b[0])) {
        if (start < at) continue;
        const style = getComputedStyle(parent, `::highlight(${name})`);
        const css = ["color", "background-color", "text-decoration", "text-shadow"]
          .map((property) => `${property}:${style.getPropertyValue(property)}!important;`).join("");
        write(escapeText(value.slice(at, start)) + "<span");
        refer({ style: `all:unset!important;${css}` });
        write(`>${escapeText(value.slice(start, end))}</span>`);
        at = end;
      }
      write(escapeText(value.slice(at)));
    };

    // ---- text and its fonts

    const FEATURES = ["fontFeatureSettings", "fontVariantCaps", "fontVariantNumeric", "fontVariantLigatures",
      "fontVariantEastAsian", "fontVariantPosition", "fontVariantAlternates"];

    const noteText = (value, style) => {
      if (!value) return;
      if (style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none") value += "…";
      if (style.hyphens === "auto" || value.includes("\u00ad")) value += "‐-";
      const key = JSON.stringify([style.fontFamily, style.fontWeight, style.fontStyle, style.webkitLocale]);
      let found = texts.get(key);
      if (!found) texts.set(key, (found = new Set()));
      for (const character of value) found.add(character);
      if (style.textTransform.includes("math-auto") && /^\s*[a-zA-Z]\s*$/.test(value)) {
        const letter = value.trim();
        found.add(letter === "h" ? "\u210e" : String.fromCodePoint(letter.codePointAt(0) - (letter < "a" ? 65 - 0x1d434 : 97 - 0x1d44e)));
      }
      for (const property of FEATURES) if (style[property] !== "normal") features.add(style[property]);
      if (style.textTransform !== "none" || style.fontVariantCaps !== "normal") {
        for (const character of value.toUpperCase() + value.toLowerCase()) found.add(character);
      }
    };
    const QUOTES = "“”‘’«»‹›„‚「」『』";
    const contentText = (content) => {
      if (!content || content === "none" || content === "normal") return "";
      const quotes = content.includes("-quote") ? QUOTES : "";
      return quotes + [...content.matchAll(/"((?:\\.|[^"\\])*)"/g)].map((match) => match[1].replace(/\\(.)/g, "$1")).join("");
    };

    // ---- elements whose styles are written out: all below a shadow root, as selectors do not reach through one

    const references = new Map();
    const frame = document.createElement("iframe");
    frame.style.cssText = "display:none!important";
    let plain = null;
    const referenceStyle = (element) => {
      const key = namespaceOf(element) + tagOf(element) + (attribute(element, "type") || "");
      if (references.has(key)) return references.get(key);
      if (!frame.isConnected) {
        root.append(frame);
        plain = frame.contentDocument;
      }
      const twin = plain.createElementNS(namespaceOf(element), tagOf(element));
      if (attribute(element, "type")) twin.setAttribute("type", attribute(element, "type"));
      plain.body.append(twin);
      const values = new Map();
      const computed = frame.contentWindow.getComputedStyle(twin);
      for (const name of computed) values.set(name, computed.getPropertyValue(name));
      references.set(key, values);
      return values;
    };
    const declarations = (computed, reference, parent) => {
      let css = "";
      for (const name of computed) {
        if (LOGICAL.test(name) && name !== "-webkit-text-fill-color" && name !== "-webkit-line-clamp"
          && name !== "-webkit-box-orient") continue;
        // What variables say stands in the values already.
        if (name.startsWith("--")) continue;
        const value = computed.getPropertyValue(name);
        // A width counts as none as long as its line has no style, which the next declaration may give it.
        if (LINE_WIDTH.test(name)) {
          css += `${name}:${value}!important;`;
          continue;
        }
        const inherited = parent && INHERITED.test(name);
        if (inherited ? value === parent.getPropertyValue(name) && value === reference.get(name)
          : value === reference.get(name)) continue;
        css += `${name}:${value}!important;`;
      }
      return css;
    };
    const frozenStyle = (element, parent) => {
      const computed = getComputedStyle(element);
      return "all:revert!important;" + declarations(computed, referenceStyle(element), parent && getComputedStyle(parent))
        + (computed.animationName !== "none" ? "animation:none!important;" : "");
    };
    const frozenPseudo = (element, which) => {
      const computed = getComputedStyle(element, which);
      const content = contentText(computed.content);
      if (computed.content === "none" || computed.content === "normal" || computed.display === "none") return;
      noteText(content, computed);
      const span = document.createElement("span");
      const css = "all:revert!important;" + declarations(computed, referenceStyle(span), getComputedStyle(element))
        .replace(/(^|;)content:[^;]*;/, "$1");
      write("<span");
      refer({ style: css });
      write(`>${escapeText(content)}</span>`);
    };

    // ---- boxes that become pictures

    const canvasPicture = (canvas) => {
      try {
        return canvas.width && canvas.height && canvas.getContext("2d") ? canvas.toDataURL("image/png") : null;
      } catch {
        return null; // it holds pixels of another origin
      }
    };
    const writePicture = (element, tag) => {
      const computed = getComputedStyle(element);
      const rendered = computed.display !== "none" && !(tag === "audio" && attribute(element, "controls") === null);
      write("<img");
      for (const name of ["id", "class"]) {
        if (attribute(element, name) !== null) writeAttribute(name, attribute(element, name));
      }
      writeAttribute("alt", "");
      if (!rendered) {
        writeAttribute("style", "display:none!important");
      } else {
        const canvas = tag === "canvas" ? canvasPicture(element) : null;
        const box = boxOf(element);
        const side = (name) => parseFloat(computed.getPropertyValue(name)) || 0;
        const left = box.left + side("border-left-width") + side("padding-left");
        const top = box.top + side("border-top-width") + side("padding-top");
        const right = box.right - side("border-right-width") - side("padding-right");
        const bottom = box.bottom - side("border-bottom-width") - side("padding-bottom");
        const parent = parentNode(element);
        const css = "all:revert!important;" + declarations(computed, referenceStyle(document.createElement("img")),
          parent instanceof Element ? getComputedStyle(parent) : null)
          + (canvas ? "" : "object-fit:fill!important;min-width:0!important;max-width:none!important;")
          + `width:${computed.width}!important;height:${computed.height}!important;`
          // A field stands on the line with its border, a picture with its margin.
          + (tag === "input" && computed.display.startsWith("inline") ? "margin-bottom:0!important;" : "");
        if (canvas) {
          refer({ picture: canvas, attribute: "src" });
        } else if (boxes.length < MAX_BOXES && right - left >= 1 && bottom - top >= 1) {
          boxes.push({ element, left, top, right, bottom });
          refer({ box: boxes.length - 1 });
        }
        refer({ style: css });
      }
      write(">");
    };

    const writeImage = (element) => {
      const address = attribute(element, "src") || "";
      let current = element.currentSrc || (tagOf(element) === "input" ? address && absolute(address) : "");
      if (!current) {
        if (!address && !attribute(element, "srcset")) { // it shows its alternative text, and still will
          if (attribute(element, "src") !== null) writeAttribute("src", "");
          return;
        }
        current = absolute(address);
      }
      if (tagOf(element) === "img" && !element.complete) {
        const box = boxOf(element);
        refer({ pending: current, width: Math.round(box.width), height: Math.round(box.height) });
        return;
      }
      if (current.startsWith("blob:")) {
        const canvas = document.createElement("canvas");
        canvas.width = element.naturalWidth;
        canvas.height = element.naturalHeight;
        try {
          canvas.getContext("2d").drawImage(element, 0, 0);
          current = canvas.toDataURL("image/png");
        } catch { /* then it counts as missing */ }
      }
      const chosen = tagOf(element) === "img" && attribute(element, "srcset") !== null || parentTag(element) === "picture";
      refer({ picture: current, attribute: "src", width: chosen ? element.naturalWidth : 0 });
    };
    const parentTag = (element) => {
      const parent = parentNode(element);
      return parent instanceof Element ? tagOf(parent) : "";
    };

    // ---- the tree

    const scrolled = new Map();
    // `frozen`: with its computed style. `shadowed`: from a shadow tree, whose names mean nothing outside.
    const writeStart = (element, tag, name, frozen, shadowed, parent) => {
      write(`<${name}`);
      const isHtml = namespaceOf(element) === HTML;
      if (attributesOf(element).length > MAX_ATTRIBUTES) throw new Error("too_many_attributes");
      names.add(tag.toLowerCase());
      if (!shadowed) {
        for (const token of element.classList) names.add(`.${token}`);
        if (attribute(element, "id")) names.add(`#${attribute(element, "id")}`);
      }
      const picture = isHtml && (tag === "img" || (tag === "input" && matches(element, "[type=image i]")));
      let css = null;
      for (const { name, value } of attributesOf(element)) {
        const lower = name.toLowerCase();
        if (!NAME.test(name) || lower.startsWith("on") || DROPPED.has(lower)) continue;
        if (shadowed && (lower === "class" || lower === "id" || lower === "part")) continue;
        if (lower === "style") css = value;
        else if (lower === "background") refer({ picture: absolute(value), attribute: "background" });
        else if (LINKS.has(lower)) writeLink(element, tag, name, value);
        else if (lower === "value" && tag === "input" || lower === "checked" || lower === "selected") continue;
        else if (lower === "alt" && picture && tag === "img" && !element.complete) continue;
        else if (FOLLOWED.has(lower) && SCRIPT.test(value)) writeAttribute(name, "#");
        else if (!isHtml && PAINT.has(lower)) refer({ paint: value, attribute: name });
        else writeAttribute(name, value);
      }
      writeStates(element);
      if (isHtml && tag === "input") {
        if (!/^(file|image)$/i.test(element.type) && (element.value || attribute(element, "value") !== null)) {
          const value = element.type === "password" ? "•".repeat(element.value.length) : element.value;
          writeAttribute("value", value);
          noteText(value || "", getComputedStyle(element));
        }
        if (element.checked) writeAttribute("checked", "");
        noteText(attribute(element, "placeholder"), getComputedStyle(element));
      }
      if (isHtml && tag === "option" && element.selected) writeAttribute("selected", "");
      if (isHtml && tag === "progress" && attribute(element, "value") === null) { // else it moves
        writeAttribute("value", `${element.max / 2}`);
      }
      if (picture) writeImage(element);
      if (frozen) css = frozenStyle(element, parent);
      const extra = extraStyle(element, tag);
      if (css !== null || extra) refer({ style: (css || "") + (extra ? `;${extra}` : "") });
      write(">");
    };

    const used = new Map();
    const writeLink = (element, tag, name, value) => {
      const target = absolute(value);
      const [page, fragment] = [target.split("#")[0], target.split("#")[1]];
      const here = value.startsWith("#") || (fragment !== undefined && page === location.href.split("#")[0]);
      if (namespaceOf(element) === HTML) {
        if (tag === "a" || tag === "area") writeAttribute(name, SCRIPT.test(value) ? "#" : value);
      } else if (here) writeAttribute(name, "#" + (value.split("#")[1] || ""));
      else if (tag === "image" || tag === "feImage") refer({ picture: target, attribute: "href" });
      else if (tag === "use" && fragment) {
        used.set(element, page);
        refer({ use: page, fragment: decodeURIComponent(fragment) });
      }
      else if (tag === "a") writeAttribute(name, SCRIPT.test(value) ? "#" : value);
    };

    // States that no attribute holds: where a box is scrolled to, the top layer, a size by the one-family monospace rule.
    const extraStyle = (element, tag) => {
      let css = "";
      const moved = scrolled.get(parentNode(element));
      if (moved) css += `translate:${-moved[0]}px ${-moved[1]}px!important;`;
      if (namespaceOf(element) === HTML) {
        const top = matches(element, ":modal") || matches(element, ":popover-open");
        if (top) {
          const computed = getComputedStyle(element);
          for (const name of ["top", "left", "width", "height", "margin-top", "margin-left", "margin-right",
            "margin-bottom", "max-width", "max-height", "overflow-x", "overflow-y", "color", "background-color",
            "border-top", "border-right", "border-bottom", "border-left", "padding-top", "padding-right",
            "padding-bottom", "padding-left"]) css += `${name}:${computed.getPropertyValue(name)}!important;`;
          css += "position:fixed!important;display:block!important;z-index:2147483647!important;";
          const backdrop = getComputedStyle(element, "::backdrop").backgroundColor;
          if (matches(element, ":modal")) css += `outline:200vmax solid ${backdrop}!important;`;
        }
        const style = getComputedStyle(element);
        // A line is as high as its element's font says, whether or not the element itself has text.
        const words = (tag === "img" && attribute(element, "alt")) || "A";
        if (style.display !== "none" && tag !== "head") noteText(words, style);
        const outer = parentNode(element) instanceof Element ? getComputedStyle(parentNode(element)) : null;
        if (style.fontFamily === "monospace" && outer && outer.fontFamily !== "monospace"
          && Math.abs(parseFloat(style.fontSize) - parseFloat(outer.fontSize) * 13 / 16) < 0.02) {
          css += `font-size:${style.fontSize};`;
        }
      }
      return css;
    };

    // `frozen`: below a shadow root. `shadowed`: in its tree, not only shown in one of its slots.
    const visit = (node, frozen, parent, depth) => {
      if (++nodes > MAX_NODES || depth > MAX_DEPTH) throw new Error("too_many_nodes");
      if (node instanceof Text) {
        writeText(node, parent);
        if (parent && node.data.trim() && Element.prototype.checkVisibility.call(parent)) {
          noteText(node.data, getComputedStyle(parent));
        }
        return;
      }
      if (!(node instanceof Element) || node === frame) return;
      const tag = tagOf(node), isHtml = namespaceOf(node) === HTML;
      if (!NAME.test(tag)) return;
      if (sheetNumbers.has(node)) {
        const sheet = sheets[sheetNumbers.get(node)];
        write(sheet.media ? `<style media="${escapeAttribute(sheet.media)}">` : "<style>");
        refer({ sheet: sheetNumbers.get(node), foreign: !isHtml });
        write("</style>");
        return;
      }
      if (tag === "meta" && /^(viewport|color-scheme)$/i.test(attribute(node, "name") || "")) {
        write("<meta");
        for (const name of ["name", "content"]) writeAttribute(name, attribute(node, name) || "");
        write(">");
        return;
      }
      const seen = tag === "noscript" && isHtml && !input.scripts;
      if (seen && parent === head) {
        for (const child of childNodes(node)) visit(child, frozen, parent, depth + 1);
        return;
      }
      if (GONE.has(tag) && !seen || tag === "link" || tag === "style") {
        // Something invisible stays where siblings count: `:first-child`, `> * + *` and the like keep their meaning.
        if (isHtml && tag !== "source" && tag !== "param" && tag !== "track" && parent && !NO_STAND_INS.has(tagOf(parent))
          && namespaceOf(parent) === HTML) {
          write('<x-gone hidden="" style="display:none!important"></x-gone>');
        }
        return;
      }
      const unsaid = tag === "input" && node.type === "checkbox" && node.indeterminate;
      const pictured = PICTURED.has(tag) && !(tag === "object" && attribute(node, "data") === null);
      if (isHtml && (pictured || unsaid || (tag === "canvas" && input.scripts))) {
        writePicture(node, tag);
        return;
      }
      const shadow = isHtml && shadowOf(node);
      const freeze = (frozen || !!shadow) && tag !== "html" && tag !== "body" && ++frozenElements <= MAX_FROZEN;
      const shadowed = freeze && node.getRootNode() !== document;
      if (tag === "slot" && frozen) {
        const assigned = node.assignedNodes();
        for (const child of assigned.length ? assigned : childNodes(node)) visit(child, true, node, depth + 1);
        return;
      }
      if (isHtml && node !== root && node !== body && (node.scrollTop || node.scrollLeft)) {
        scrolled.set(node, [node.scrollLeft, node.scrollTop]);
      }
      const name = isHtml && Object.hasOwn(RENAMED, tag) ? RENAMED[tag] : tag;
      writeStart(node, tag, name, freeze, shadowed, parent);
      if (isHtml && VOID.has(tag)) return;
      if (isHtml && tag === "textarea") {
        noteText(node.value || attribute(node, "placeholder"), getComputedStyle(node));
        write("\n" + escapeText(node.value) + "</textarea>");
        return;
      }
      if (shadowed) frozenPseudo(node, "::before");
      else if (isHtml) {
        for (const which of ["::before", "::after"]) {
          const pseudo = getComputedStyle(node, which);
          if (pseudo.content !== "none" && pseudo.content !== "normal") noteText(contentText(pseudo.content), pseudo);
        }
        const style = getComputedStyle(node);
        if (style.display === "list-item") {
          // Bullets and triangles are drawn without a font; counters and texts are not.
          const marker = getComputedStyle(node, "::marker");
          noteText(`0123456789.${contentText(style.listStyleType)}${contentText(marker.content)}`, marker);
        }
      }
      if (isHtml && (name === "pre" || tag === "listing")) write("\n");
      for (const child of childNodes(shadow || node)) visit(child, frozen || !!shadow, node, depth + 1);
      if (shadowed) frozenPseudo(node, "::after");
      if (node === head) {
        for (let at = firstAdopted; at < sheets.length; at++) {
          write(sheets[at].media ? `<style media="${escapeAttribute(sheets[at].media)}">` : "<style>");
          refer({ sheet: at, foreign: false });
          write("</style>");
        }
      }
      write(`</${name}>`);
      if (used.has(node)) refer({ sprite: used.get(node) });
    };

    root.append(frame);
    plain = frame.contentDocument;
    const defaults = ["html", "pre", "button", "input", "math"].map((tag) => {
      const twin = tag === "html" ? plain.documentElement
        : plain.body.appendChild(plain.createElementNS(tag === "math" ? MATHML : HTML, tag));
      if (tag === "input") twin.type = "date";
      return frame.contentWindow.getComputedStyle(twin).fontFamily;
    });
    frame.remove();

    try {
      // Quirks mode is that of a page without a doctype; "almost standards" mode needs the doctype's ids.
      if (document.compatMode !== "BackCompat") {
        const { publicId, systemId } = document.contentType === "text/html" && doctype || {};
        const ids = publicId ? ` PUBLIC "${publicId}"` + (systemId ? ` "${systemId}"` : "") : "";
        write(`<!DOCTYPE html${ids.replace(/[<>]/g, "")}>`);
      }
      visit(root, false, null, 0);
    } catch (error) {
      frame.remove();
      return JSON.stringify({ failure: String(error.message || error) });
    }
    frame.remove();
    parts.push(text);
    globalThis.diffbenchBoxes = boxes.map((box) => box.element);
    return JSON.stringify({
      parts, sheets, base, defaults, names: [...names].sort(), features: [...features].sort(),
      boxes: boxes.map(({ left, top, right, bottom }) => ({ left, top, right, bottom })),
      texts: [...texts].map(([key, characters]) => [...JSON.parse(key), [...characters].sort().join("")]),
    });
  };

  // The text of a stylesheet's bytes, by its mark, by its own word, or else in the encoding of the page.
  globalThis.diffbenchDecode = (encoded) => {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    const start = String.fromCharCode(...bytes.slice(0, 100));
    const marked = start.startsWith("\xef\xbb\xbf") ? "utf-8" : start.startsWith("\xff\xfe") ? "utf-16le"
      : start.startsWith("\xfe\xff") ? "utf-16be" : null;
    const said = /^@charset "([^"]*)";/.exec(start)?.[1];
    for (const label of [marked, said && said.toLowerCase().startsWith("utf-16") ? "utf-8" : said, document.characterSet]) {
      try { if (label) return new TextDecoder(label).decode(bytes); } catch { /* an encoding nobody knows */ }
    }
    return new TextDecoder().decode(bytes);
  };

  // Everything but one box hidden, its background gone, until `diffbenchShow` is called. Returns where it is now: a box
  // out of sight is scrolled to.
  let hiding = null;
  globalThis.diffbenchOnly = (at) => {
    const element = globalThis.diffbenchBoxes[at];
    hiding = hiding || new CSSStyleSheet();
    hiding.replaceSync("*{visibility:hidden!important}html,body{background:none transparent!important}"
      + "[data-diffbench-box]{visibility:visible!important}");
    element.setAttribute("data-diffbench-box", "");
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, hiding];
    const before = boxOf(element);
    if (before.top < 0 || before.left < 0 || before.bottom > innerHeight || before.right > innerWidth) {
      element.scrollIntoView({ block: "start", inline: "start", behavior: "instant" });
    }
    const after = boxOf(element);
    return [after.left - before.left, after.top - before.top];
  };
  globalThis.diffbenchShow = (at) => {
    globalThis.diffbenchBoxes[at].removeAttribute("data-diffbench-box");
    scrollTo({ left: 0, top: 0, behavior: "instant" });
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== hiding);
  };

  // Spans of text in given fonts, out of sight and out of reach of the page's rules, for asking which fonts draw them.
  globalThis.diffbenchProbe = (samples) => {
    const host = document.createElement("div");
    host.style.cssText = "all:initial!important;position:fixed!important;left:-9999px!important;top:0!important";
    const shadow = host.attachShadow({ mode: "closed" });
    globalThis.diffbenchProbes = samples.map(([family, weight, style, locale, characters]) => {
      const span = document.createElement("span");
      span.style.fontFamily = family;
      span.style.fontWeight = weight;
      span.style.fontStyle = style;
      span.lang = locale.replace(/"/g, "");
      span.textContent = characters;
      shadow.append(span);
      return span;
    });
    root.append(host);
    host.offsetHeight;
    globalThis.diffbenchProbeHost = host;
  };
})();
