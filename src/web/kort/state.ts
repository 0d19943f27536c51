import type { Place } from '../shared/coordinates.ts';
import type { Named } from '../shared/place-address.ts';
import { readState, writeState } from './address-bar.ts';
import type { PageState } from './address-bar.ts';

export let state: PageState = readState(window.location.hash);

/** After another entry of the history was chosen. */
export function readAgain(): void {
  state = readState(window.location.hash);
}

/** A new view is no entry of the history. */
export function remember(change: Partial<PageState>): void {
  state = { ...state, ...change };
  window.history.replaceState(null, '', writeState(state));
}

/** A new place is one. */
export function enter(place: Place, named: Named | null): void {
  const entered = { ...state, place, named };
  const isOther = writeState(entered) !== writeState(state);
  state = entered;
  if (isOther) window.history.pushState(null, '', writeState(state));
}
