// What a rendered page holds, written down as text with references, and the boxes that only a picture can show.
//
// Runs in an isolated world: the page's scripts cannot see or change anything here. The tree is read through the
// prototypes' own getters, because a form's or a document's named elements would answer in their place.
// `diffbenchSnapshot(input)` returns JSON text; `input.sheets` maps the address of a stylesheet to its text.
(() => {
  const getter = (prototype, name) => {
    const get = Object.getOwnPropertyDescriptor(prototype, name).get;
    return (object) => get.call(object);
  };
  const childNodes = getter(Node.prototype, "childNodes");
  const parentNode = getter(Node.prototype, "parentNode");
  const attributesOf = getter(Element.prototype, "attributes");
  const tagOf = getter(Element.prototype, "localName");
  const shadowOf = getter(Element.prototype, "shadowRoot");
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

  const VOID = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr"]);
  const GONE = new Set(["script", "noscript", "template", "base", "meta", "source", "track", "param", "noembed",
    "noframes", "portal", "fencedframe", "bgsound", "animate", "animateTransform", "animateMotion", "set", "mpath",
    "discard", "title", "datalist"]);
  const PICTURED = new Set(["iframe", "frame", "embed", "object", "video", "audio", "canvas"]);
  const NO_STAND_INS = new Set(["head", "table", "thead", "tbody", "tfoot", "tr", "colgroup", "select", "optgroup",
    "datalist", "html", "body", "picture", "video", "audio", "object"]);
  const DROPPED = new Set(["srcset", "sizes", "integrity", "nonce", "srcdoc", "loading", "autofocus", "autoplay",
    "ping", "http-equiv", "data-src", "data-lazy-src", "imagesrcset", "formaction", "action", "is", "slot",
    "popover", "poster", "usemap"]);
  const LINKS = new Set(["href", "xlink:href"]);
  const MAX_BOXES = 60, MAX_FROZEN = 4000, MAX_NODES = 60000, MAX_DEPTH = 2000;

  // Pseudo-elements and frozen elements are described by these; logical twins would say the same again.
  const LOGICAL = new RegExp("^(" + [
    "-webkit-", "(min-|max-)?(block|inline)-size$", "inset-(block|inline)", ".*-(block|inline)(-|$)",
    "perspective-origin$", "transition", "animation", "cursor$", "pointer-events$", "user-select$",
    "will-change$", "contain-intrinsic", "overflow-(block|inline)", "offset-", "view-", "scroll-", "timeline-",
    "app-region", "font-synthesis", "interactivity", "interpolate-size"].join("|") + ")");
  const INHERITED = new RegExp("^(" + [
    "font", "color$", "line-height", "letter-spacing", "word-",
    "text-(align|indent|transform|shadow|wrap|orientation|rendering|emphasis|underline-(position|offset)|autospace|spacing|size)",
    "white-space", "direction$", "visibility$", "list-style", "border-(collapse|spacing)", "caption-side",
    "empty-cells", "quotes", "tab-size", "hyphen", "overflow-wrap", "line-break", "writing-mode", "fill",
    "stroke", "paint-order", "clip-rule", "cursor", "accent-color", "color-scheme", "caret-color", "orphans",
    "widows", "dominant-baseline", "text-anchor", "shape-rendering", "image-rendering", "image-orientation",
    "ruby-"].join("|") + ")");

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
      const inline = owner && tagOf(owner) === "style" ? getter(Node.prototype, "textContent")(owner) : undefined;
      const source = inline === undefined ? input.sheets[sheet.href] : inline;
      const read = readSheet(sheet, source, address);
      if (read === null || !read.css.trim()) return;
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

    // ---- text and its fonts

    const noteText = (value, style) => {
      if (!value) return;
      const key = JSON.stringify([style.fontFamily, style.fontWeight, style.fontStyle, style.fontStretch]);
      let found = texts.get(key);
      if (!found) texts.set(key, (found = new Set()));
      for (const character of value) found.add(character);
      if (style.textTransform !== "none" || style.fontVariantCaps !== "normal") {
        for (const character of value.toUpperCase() + value.toLowerCase()) found.add(character);
      }
    };
    const contentText = (content) => {
      if (!content || content === "none" || content === "normal") return "";
      return [...content.matchAll(/"((?:\\.|[^"\\])*)"/g)].map((match) => match[1].replace(/\\(.)/g, "$1")).join("");
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
        const value = computed.getPropertyValue(name);
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

    const BOX_PROPERTIES = ["display", "position", "top", "right", "bottom", "left", "float", "width", "height",
      "box-sizing", "vertical-align", "margin-top", "margin-right", "margin-bottom", "margin-left", "padding-top",
      "padding-right", "padding-bottom", "padding-left", "border-top", "border-right", "border-bottom", "border-left",
      "border-radius", "transform", "opacity", "visibility", "z-index", "background-color", "flex", "align-self",
      "justify-self", "grid-area", "object-position"];
    const pictureStyle = (element) => {
      const computed = getComputedStyle(element);
      const css = BOX_PROPERTIES.map((name) => `${name}:${computed.getPropertyValue(name)}!important;`).join("");
      return css + "min-width:0!important;min-height:0!important;max-width:none!important;max-height:none!important;"
        + "object-fit:fill!important;";
    };
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
        let css = pictureStyle(element);
        if (canvas) {
          const fit = computed.objectFit;
          refer({ picture: canvas, attribute: "src" });
          css = css.replace("object-fit:fill", `object-fit:${fit}`);
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
        if (!address && !attribute(element, "srcset")) return; // it shows its alternative text, and still will
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
      refer({ picture: current, attribute: "src", width: element.naturalWidth, height: element.naturalHeight,
        hints: tagOf(element) === "img" && !!attribute(element, "srcset") || parentTag(element) === "picture",
        sized: attribute(element, "width") !== null || attribute(element, "height") !== null });
    };
    const parentTag = (element) => {
      const parent = parentNode(element);
      return parent instanceof Element ? tagOf(parent) : "";
    };

    // ---- the tree

    const scrolled = new Map();
    const writeStart = (element, tag, frozen, parent) => {
      write(`<${tag}`);
      const isHtml = namespaceOf(element) === HTML;
      const picture = isHtml && (tag === "img" || (tag === "input" && matches(element, "[type=image i]")));
      let css = null;
      for (const { name, value } of attributesOf(element)) {
        const lower = name.toLowerCase();
        if (!/^[a-z_][-\w.:]*$/i.test(name) || lower.startsWith("on") || DROPPED.has(lower)) continue;
        if (frozen && (lower === "class" || lower === "id" || lower === "part")) continue;
        if (lower === "style") css = value;
        else if (lower === "src") continue;
        else if (lower === "background") refer({ picture: absolute(value), attribute: "background" });
        else if (LINKS.has(lower)) writeLink(element, tag, name, value);
        else if (lower === "value" && tag === "input" || lower === "checked" || lower === "selected") continue;
        else if (lower === "alt" && picture && tag === "img" && !element.complete) continue;
        else if (/^\s*(javascript|vbscript|data)\s*:/i.test(value)) continue;
        else writeAttribute(name, value);
      }
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
      if (picture) writeImage(element);
      if (frozen) css = frozenStyle(element, parent);
      const extra = extraStyle(element, tag);
      if (css !== null || extra) refer({ style: (css || "") + (extra ? `;${extra}` : "") });
      write(">");
    };

    const writeLink = (element, tag, name, value) => {
      const target = absolute(value);
      const [page, fragment] = [target.split("#")[0], target.split("#")[1]];
      const here = value.startsWith("#") || (fragment !== undefined && page === location.href.split("#")[0]);
      if (namespaceOf(element) !== HTML) {
        if (here) writeAttribute(name, "#" + (value.split("#")[1] || ""));
        else if (tag === "image" || tag === "feImage") refer({ picture: target, attribute: "href" });
        else if (tag === "use" && fragment) refer({ use: page, fragment: decodeURIComponent(fragment) });
        else if (tag === "a") writeAttribute(name, "#");
      } else if (tag === "a" || tag === "area") {
        writeAttribute(name, here ? "#" + (fragment || "") : "#");
      }
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

    const visit = (node, frozen, parent, depth) => {
      if (++nodes > MAX_NODES || depth > MAX_DEPTH) throw new Error("too_many_nodes");
      if (node instanceof Text) {
        const value = node.data;
        write(escapeText(value));
        if (parent && value.trim() && Element.prototype.checkVisibility.call(parent)) {
          noteText(value, getComputedStyle(parent));
        }
        return;
      }
      if (!(node instanceof Element) || node === frame) return;
      const tag = tagOf(node), isHtml = namespaceOf(node) === HTML;
      if (!/^[a-z_][-\w.:]*$/i.test(tag)) return;
      if (sheetNumbers.has(node)) {
        const sheet = sheets[sheetNumbers.get(node)];
        write(sheet.media ? `<style media="${escapeAttribute(sheet.media)}">` : "<style>");
        refer({ sheet: sheetNumbers.get(node) });
        write("</style>");
        return;
      }
      if (tag === "meta" && /^(viewport|color-scheme)$/i.test(attribute(node, "name") || "")) {
        write("<meta");
        for (const name of ["name", "content"]) writeAttribute(name, attribute(node, name) || "");
        write(">");
        return;
      }
      if (GONE.has(tag) || tag === "link" || tag === "style") {
        // Something invisible stays where siblings count: `:first-child`, `> * + *` and the like keep their meaning.
        if (isHtml && tag !== "source" && tag !== "param" && tag !== "track" && parent && !NO_STAND_INS.has(tagOf(parent))
          && namespaceOf(parent) === HTML) {
          write('<x-gone hidden="" style="display:none!important"></x-gone>');
        }
        return;
      }
      if (isHtml && PICTURED.has(tag)) {
        writePicture(node, tag);
        return;
      }
      const shadow = isHtml && shadowOf(node);
      const freeze = (frozen || !!shadow) && tag !== "html" && tag !== "body" && ++frozenElements <= MAX_FROZEN;
      if (tag === "slot" && frozen) {
        const assigned = node.assignedNodes();
        for (const child of assigned.length ? assigned : childNodes(node)) visit(child, true, node, depth + 1);
        return;
      }
      if (isHtml && node !== root && node !== body && (node.scrollTop || node.scrollLeft)) {
        scrolled.set(node, [node.scrollLeft, node.scrollTop]);
      }
      writeStart(node, tag, freeze, parent);
      if (isHtml && VOID.has(tag)) return;
      if (isHtml && tag === "textarea") {
        noteText(node.value || attribute(node, "placeholder"), getComputedStyle(node));
        write("\n" + escapeText(node.value) + "</textarea>");
        return;
      }
      if (freeze) frozenPseudo(node, "::before");
      else if (isHtml) {
        for (const which of ["::before", "::after"]) {
          const pseudo = getComputedStyle(node, which);
          if (pseudo.content !== "none" && pseudo.content !== "normal") noteText(contentText(pseudo.content), pseudo);
        }
        if (tag === "li" || tag === "summary") noteText("•◦▪▸▾0123456789.", getComputedStyle(node));
      }
      if (isHtml && (tag === "pre" || tag === "listing")) write("\n");
      for (const child of childNodes(shadow || node)) visit(child, frozen || !!shadow, node, depth + 1);
      if (freeze) frozenPseudo(node, "::after");
      if (node === head) {
        for (let at = firstAdopted; at < sheets.length; at++) {
          write(sheets[at].media ? `<style media="${escapeAttribute(sheets[at].media)}">` : "<style>");
          refer({ sheet: at });
          write("</style>");
        }
      }
      if (node === body) refer({ sprites: true });
      write(`</${tag}>`);
    };

    root.append(frame);
    plain = frame.contentDocument;
    const defaults = ["html", "pre", "button"].map((tag) => {
      const twin = tag === "html" ? plain.documentElement : plain.body.appendChild(plain.createElement(tag));
      return frame.contentWindow.getComputedStyle(twin).fontFamily;
    });
    frame.remove();

    try {
      if (doctype) {
        const ids = doctype.publicId ? ` PUBLIC "${doctype.publicId}"` + (doctype.systemId ? ` "${doctype.systemId}"` : "")
          : doctype.systemId ? ` SYSTEM "${doctype.systemId}"` : "";
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
      parts, sheets, base, defaults,
      boxes: boxes.map(({ left, top, right, bottom }) => ({ left, top, right, bottom })),
      texts: [...texts].map(([key, characters]) => [...JSON.parse(key), [...characters].sort().join("")]),
    });
  };

  // Everything but one box hidden, its background gone, until `diffbenchShow` is called.
  let hiding = null;
  globalThis.diffbenchOnly = (at) => {
    const element = globalThis.diffbenchBoxes[at];
    hiding = hiding || new CSSStyleSheet();
    hiding.replaceSync("*{visibility:hidden!important}html,body{background:none transparent!important}"
      + "[data-diffbench-box]{visibility:visible!important}");
    element.setAttribute("data-diffbench-box", "");
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, hiding];
  };
  globalThis.diffbenchShow = (at) => {
    globalThis.diffbenchBoxes[at].removeAttribute("data-diffbench-box");
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== hiding);
  };

  // Spans of text in given fonts, out of sight and out of reach of the page's rules, for asking which fonts draw them.
  globalThis.diffbenchProbe = (samples) => {
    const host = document.createElement("div");
    host.style.cssText = "all:initial!important;position:fixed!important;left:-9999px!important;top:0!important";
    const shadow = host.attachShadow({ mode: "closed" });
    globalThis.diffbenchProbes = samples.map(([family, weight, style, stretch, characters]) => {
      const span = document.createElement("span");
      span.style.fontFamily = family;
      span.style.fontWeight = weight;
      span.style.fontStyle = style;
      span.style.fontStretch = stretch;
      span.textContent = characters;
      shadow.append(span);
      return span;
    });
    root.append(host);
    host.offsetHeight;
    globalThis.diffbenchProbeHost = host;
  };
})();
