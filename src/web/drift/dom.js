/** Builds elements. Text is always text: nothing that came over the network is ever markup. */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes] `on…` are listeners, null and false are left out
 * @param {...(Node | string | null | false | undefined)} children
 */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(
    ...children.filter((child) => child !== null && child !== false && child !== undefined),
  );
  return element;
}

export function byId(id) {
  return document.getElementById(id);
}

/** Shows one element or hides it. */
export function show(element, visible) {
  element.hidden = !visible;
}
