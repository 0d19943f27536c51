export interface BreakerRules {
  readonly failuresToOpen: number;
  /** At first, doubled after every failed probe. */
  readonly openMs: number;
  readonly maxOpenMs: number;
}

export const BREAKER_RULES: BreakerRules = {
  failuresToOpen: 5,
  openMs: 5_000,
  maxOpenMs: 120_000,
};

export type BreakerState =
  | { readonly phase: 'closed'; readonly failures: number }
  | { readonly phase: 'open'; readonly untilMs: number; readonly lastsMs: number }
  | { readonly phase: 'half_open'; readonly lastsMs: number };

export const CLOSED: BreakerState = { phase: 'closed', failures: 0 };

export interface Admission {
  readonly state: BreakerState;
  readonly admitted: boolean;
}

export function admit(state: BreakerState, nowMs: number): Admission {
  switch (state.phase) {
    case 'closed':
      return { state, admitted: true };
    case 'half_open':
      return { state, admitted: false };
    case 'open':
      return nowMs < state.untilMs
        ? { state, admitted: false }
        : { state: { phase: 'half_open', lastsMs: state.lastsMs }, admitted: true };
  }
}

export function afterFailure(
  state: BreakerState,
  nowMs: number,
  rules: BreakerRules = BREAKER_RULES,
): BreakerState {
  switch (state.phase) {
    case 'closed': {
      const failures = state.failures + 1;
      return failures < rules.failuresToOpen
        ? { phase: 'closed', failures }
        : { phase: 'open', untilMs: nowMs + rules.openMs, lastsMs: rules.openMs };
    }
    case 'half_open': {
      const lastsMs = Math.min(state.lastsMs * 2, rules.maxOpenMs);
      return { phase: 'open', untilMs: nowMs + lastsMs, lastsMs };
    }
    case 'open':
      // A request sent before it opened reveals nothing new.
      return state;
  }
}

/** The request revealed nothing about the host (aborted by its caller). */
export function afterNothing(state: BreakerState, nowMs: number): BreakerState {
  return state.phase === 'half_open'
    ? { phase: 'open', untilMs: nowMs, lastsMs: state.lastsMs }
    : state;
}
