import { h } from './dom.ts';

/** Joints of the long names of Danish registers: Chromium brings no Danish dictionary. */
const JOINTS =
  /(?<=\p{L}{2})(?=beskyttelse|bygge?linje|fredning|kreds|minde|areal|vurdering|oplysning|linjer?\b)/gu;
const LONG = 13;

/** A name that may break at its joints; its text is unchanged. */
export function jointed(name: string): (string | Node)[] {
  if (name.length < LONG) return [name];
  const parts = name.split(JOINTS);
  return parts.flatMap((part, at) => (at === 0 ? [part] : [h('span', { class: 'joint' }), part]));
}
