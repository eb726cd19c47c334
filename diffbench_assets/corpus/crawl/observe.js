// What is asked of a live page: whether it is ready, how large it is, what lies above it, and its text. Runs in an
// isolated world, out of reach of the page's scripts; a page can still shadow members of `document` and of forms by
// naming elements after them, so those are taken from the prototypes.
globalThis.diffbench = (() => {
  const getter = (prototype, name) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    return (object) => get.call(object);
  };
  const rootOf = getter(Document.prototype, 'documentElement');
  const doctypeOf = getter(Document.prototype, 'doctype');
  const fontsOf = getter(Document.prototype, 'fonts');
  const sheetsOf = getter(Document.prototype, 'adoptedStyleSheets');
  const activeOf = getter(Document.prototype, 'activeElement');
  const outerHtml = getter(Element.prototype, 'outerHTML');
  const innerText = getter(HTMLElement.prototype, 'innerText');
  const find = (selector, within = document) =>
    (within === document ? Document : Element).prototype.querySelectorAll.call(within, selector);
  const box = (element) => Element.prototype.getBoundingClientRect.call(element);
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const scrollTo = (top) => globalThis.scrollTo({ left: 0, top, behavior: 'instant' });

  const WALKED = 20000; // elements whose style is computed
  const PAUSE_MS = 40; // two frames, in which lazy pictures are noticed

  const visible = (element) => {
    const { left, top, right, bottom } = box(element);
    const width = Math.min(right, innerWidth) - Math.max(left, 0);
    const height = Math.min(bottom, innerHeight) - Math.max(top, 0);
    if (width < 8 || height < 8) return false;
    const style = getComputedStyle(element);
    return style.visibility === 'visible' && +style.opacity > 0.01;
  };

  const floating = () =>
    [...find('body *')].slice(0, WALKED).filter((element) => {
      const { position } = getComputedStyle(element);
      return position === 'fixed' || position === 'sticky';
    });

  // Whether the element, or something in it, is what a person would hit at its middle.
  const above = (element) => {
    const { left, top, right, bottom } = box(element);
    const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
    const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
    const hit = Document.prototype.elementFromPoint.call(document, x, y);
    return hit !== null && Node.prototype.contains.call(element, hit);
  };

  const overlays = (candidates, tops) => {
    const held = candidates.filter(
      (element) => visible(element) && above(element) && (!tops || Math.abs(box(element).top - tops.get(element)) <= 1));
    return held.filter((element) =>
      !held.some((other) => other !== element && Node.prototype.contains.call(other, element))).length;
  };

  // Banners of the common consent managers, by the id or class that each gives its own.
  const MANAGERS = [
    '#onetrust-banner-sdk', '#CybotCookiebotDialog', '.fc-consent-root', '#didomi-host', '#didomi-notice',
    '#usercentrics-root', '#usercentrics-cmp-ui', '[id^="sp_message_container"]', '.cc-window', '.qc-cmp2-container',
    '#truste-consent-track', '.truste_box_overlay', '.osano-cm-window', '#cookie-law-info-bar', '.cky-consent-container',
    '#cookiescript_injected', '#iubenda-cs-banner', '#cmpbox', '.klaro .cookie-notice', '#axeptio_overlay',
    '#tarteaucitronAlertBig', '#hs-eu-cookie-confirmation', '#termly-code-snippet-support', '#BorlabsCookieBox',
    '.cmplz-cookiebanner', '#ccc-overlay', '#gdpr-cookie-message', '.evidon-banner', '#ppms_cm_popup_overlay',
  ].join(',');
  const WORDS =
    /cookie|consent|gdpr|ccpa|dsgvo|rgpd|lgpd|datenschutz|privacidad|privacidade|confidentialité|riservatezza|クッキー|쿠키|куки|كوكي|ملفات تعريف|कुकी|คุกกี้/i;
  const BUTTONS = 'button, a, [role="button"], input[type="button"], input[type="submit"]';
  const DIALOGS = 'dialog[open], [role="dialog"], [role="alertdialog"], [aria-modal="true"]';
  const BANNER_TEXT = 5000; // characters; more is not a banner

  const asksConsent = (element) => {
    if (!(element instanceof HTMLElement) || !visible(element)) return false;
    const text = innerText(element);
    return text.length < BANNER_TEXT && WORDS.test(text) && find(BUTTONS, element).length > 0;
  };

  return {
    size: () => ({ elements: find('*').length }),

    // Fonts, and the pictures that can be seen: one that is far below, or not displayed, may never be asked for.
    ready: () =>
      fontsOf(document).status === 'loaded' &&
      [...find('img')].every((image) => image.complete || !visible(image)),

    consent: () => [...find(MANAGERS)].some(visible) || [...find(DIALOGS), ...floating()].some(asksConsent),

    // Down and up once, so that lazy pictures are asked for. Answers how many elements stayed where they were on the
    // screen; on a page that cannot scroll, how many would.
    async scroll(most) {
      const candidates = floating();
      const end = Math.min(rootOf(document).scrollHeight - innerHeight, most);
      let tops = null;
      let count = null;
      // Two looks, half a screen apart: what sticks has found its place by the first.
      for (let top = Math.min(innerHeight, end) / 2; top < end;) {
        scrollTo(top);
        await pause(PAUSE_MS);
        if (tops) count ??= overlays(candidates, tops);
        else if (scrollY > 0) tops = new Map(candidates.map((element) => [element, box(element).top]));
        top = Math.min(top + innerHeight / (count === null ? 2 : 1), end);
      }
      scrollTo(end);
      await pause(PAUSE_MS);
      scrollTo(0);
      await pause(PAUSE_MS);
      const fixed = (element) => getComputedStyle(element).position === 'fixed';
      return count ?? overlays(candidates.filter(fixed), null);
    },

    // Finished animations keep what they ended on: a page that fades in would be blank if they were only cut off.
    freeze() {
      for (const animation of Document.prototype.getAnimations.call(document)) {
        try {
          animation.finish();
        } catch {
          animation.pause();
          animation.currentTime = 0;
        }
      }
      for (const svg of find('svg')) {
        svg.pauseAnimations();
        svg.setCurrentTime(0);
      }
      for (const media of find('video, audio')) HTMLMediaElement.prototype.pause.call(media);
    },

    // Without the caret and smooth scrolling; by a sheet that the document's text does not show.
    still() {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('*,*::before,*::after{caret-color:transparent!important;scroll-behavior:auto!important}');
      sheetsOf(document).push(sheet);
      const active = activeOf(document);
      if (active instanceof HTMLElement) HTMLElement.prototype.blur.call(active);
      scrollTo(0);
    },

    // The document as rendered, with its doctype; null when it is longer than `most` characters.
    html(most) {
      const doctype = doctypeOf(document);
      const text = (doctype ? new XMLSerializer().serializeToString(doctype) : '') + outerHtml(rootOf(document));
      return text.length > most ? null : text.toWellFormed();
    },
  };
})();
