import type { History } from './types.ts';

/** A stretch of time in which one proof of the copy was the latest. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  /** null: not on record. */
  readonly provedMs: number | null;
}

/** In order of time, none empty; none before the first proof. */
export function stretches({ fra, til, synket_foer: before, koersler }: History): Stretch[] {
  const proofs = koersler.flatMap(({ tilstand, sluttet, synket }) =>
    tilstand === 'udgivet' || tilstand === 'uaendret'
      ? [{ atMs: Date.parse(sluttet), provedMs: synket === null ? null : Date.parse(synket) }]
      : [],
  );
  if (before !== null) proofs.unshift({ atMs: Date.parse(fra), provedMs: Date.parse(before) });
  const endMs = Date.parse(til);
  return proofs
    .map(({ atMs, provedMs }, index) => {
      return { fromMs: atMs, toMs: proofs[index + 1]?.atMs ?? endMs, provedMs };
    })
    .filter(({ fromMs, toMs }) => toMs > fromMs);
}

/** Seconds. */
export function ageAt({ provedMs }: { readonly provedMs: number }, ms: number): number {
  return Math.max(0, (ms - provedMs) / 1000);
}

export interface AgeSummary {
  /** null: no age is on record. */
  readonly oldestS: number | null;
  readonly nowS: number | null;
  readonly lateS: number;
  /** With an age on record. */
  readonly knownS: number;
}

export function ageSummary(history: History): AgeSummary {
  let [oldestS, nowS, lateS, knownS]: [number | null, number | null, number, number] = [
    null,
    null,
    0,
    0,
  ];
  for (const { fromMs, toMs, provedMs } of stretches(history)) {
    nowS = provedMs === null ? null : ageAt({ provedMs }, toMs);
    if (nowS === null) continue;
    oldestS = Math.max(oldestS ?? 0, nowS);
    const lengthS = (toMs - fromMs) / 1000;
    knownS += lengthS;
    lateS += Math.min(lengthS, Math.max(0, nowS - history.frist_s));
  }
  return { oldestS, nowS, lateS, knownS };
}
