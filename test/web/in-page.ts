/** Questions asked inside the page, as the source of functions: the types of a browser are not ours. */

/** Elements that reach past the right edge of the window; a picture clips what is in it. */
export const OVERFLOWING = `(() => {
  const limit = document.documentElement.clientWidth;
  return [...document.querySelectorAll('body *')]
    .filter((element) => element.closest('.scroll, .visually-hidden, .skip, svg *') === null)
    .filter((element) => element.getBoundingClientRect().right > limit + 0.5)
    .map((element) => element.tagName + ' ' + (element.getAttribute('class') ?? ''));
})()`;

export const LAYER_ORDER = `[...document.querySelectorAll('#layers > li')].map(({ id }) => id)`;

/** What a screen reader calls each button that is shown. */
export const BUTTON_NAMES = `[...document.querySelectorAll('button')]
  .filter((button) => button.checkVisibility())
  .map((button) => button.getAttribute('aria-label') ?? button.textContent)`;

export const FOCUSED_NAME = `document.activeElement?.getAttribute('aria-label') ??
  document.activeElement?.textContent`;

/** Texts whose contrast with what lies behind them is under 4.5, or 3 where they are large. */
export const FAINT_TEXTS = `(() => {
  const parse = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((channel) => {
      const share = channel / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const color = parse(getComputedStyle(at).backgroundColor);
      if ((color[3] ?? 1) > 0.99) return color;
    }
    return [255, 255, 255];
  };
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent.trim();
    if (element === null || text === '' || !element.checkVisibility()) continue;
    // Controls that cannot be used need no contrast (WCAG 1.4.3).
    if (element.closest('[aria-disabled="true"], svg, .visually-hidden, .skip') !== null) continue;
    const style = getComputedStyle(element);
    const both = [luminance(parse(style.color)), luminance(ground(element))].sort((x, y) => y - x);
    const ratio = (both[0] + 0.05) / (both[1] + 0.05);
    const large = parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 600;
    if (ratio < (large ? 3 : 4.5)) faint.push(text.slice(0, 30) + ': ' + ratio.toFixed(2));
  }
  return faint;
})()`;

/** Texts, each line as it is drawn, controls and pictures that lie over one another, and texts that are cut. */
export const OVERPRINTED = `(() => {
  const passed = '.visually-hidden, .skip, #toast, .scroll, .difference-map, pre';
  const clipped = (element) => /hidden|clip/.test(getComputedStyle(element).overflowX);
  const found = [];
  const add = (node, text, rects) => {
    for (const { left, right, top, bottom } of rects)
      if (right - left > 1) found.push({ node, text, left, right, top: top + 3, bottom: bottom - 3 });
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const { parentElement: element, data } = node;
    if (data.trim() === '' || !element.checkVisibility()) continue;
    if (element.closest('svg, option, ' + passed) !== null) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    add(node, data.trim().slice(0, 30), range.getClientRects());
  }
  const cut = found.filter(({ node, left, right }) => {
    for (let at = node.parentElement; at !== document.body; at = at.parentElement) {
      const box = at.getBoundingClientRect();
      if (clipped(at) && (left < box.left - 1 || right > box.right + 1)) return true;
    }
    return false;
  });
  for (const element of document.querySelectorAll('svg:not(svg *), button, select, input, progress'))
    if (element.checkVisibility() && element.closest(passed) === null)
      add(element, element.tagName + ' ' + element.getAttribute('class'), element.getClientRects());
  const over = found.flatMap((a, at) => found.slice(at + 1)
    .filter((b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom && b.top < a.bottom)
    .filter((b) => !a.node.contains(b.node) && !b.node.contains(a.node))
    .map((b) => a.text + ' | ' + b.text));
  return [...over, ...cut.map(({ text }) => 'cut: ' + text)];
})()`;

/** Everything that is said on the page, to the eye or to a screen reader; without what layers are called. */
export const SAID = `(() => {
  const names = [...document.querySelectorAll('#layers h3')].map((name) => name.textContent);
  const told = [document.title];
  for (const element of document.querySelectorAll('body *')) {
    if (!element.checkVisibility() || element.closest('.name, code, .hosts, [lang]:not(html)') !== null) continue;
    for (const name of ['aria-label', 'title']) told.push(element.getAttribute(name) ?? '');
    for (const node of element.childNodes) if (node.nodeType === 3) told.push(node.data);
  }
  const without = (text) => names.reduce((left, name) => left.replaceAll(name, ''), text);
  return told.map((text) => without(text).replaceAll(/\\s+/g, ' ').trim()).filter((text) => text !== '');
})()`;
