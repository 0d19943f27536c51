import { instant } from '../../../kernel/clock.ts';
import { ADDRESSES } from '../../../layers/keys.ts';
import type { ChangeNumbers, DatedChange } from '../../../ops/dated-changes.ts';
import { CHANGE_STATES, CONTRADICTIONS } from './names.ts';

export function renderChange(change: DatedChange) {
  const { preview, confirmation, carriedOut, codes } = change;
  return {
    id: change.id,
    lag: change.layer,
    tidspunkt: instant(change.atMs),
    kilde: sourceOf(change),
    tilstand: CHANGE_STATES[change.state],
    ophoerer: codes.ends.map(({ code, name }) => ({ kode: code, navn: name })),
    begynder: codes.begins.map(({ code, name }) => ({ kode: code, navn: name })),
    aendres: codes.changes.map(({ code, name, newName }) => ({
      kode: code,
      navn: name,
      nyt_navn: newName,
    })),
    modsigelser: change.contradictions.map(({ kind, code }) => ({
      art: CONTRADICTIONS[kind],
      kode: code,
    })),
    beregnet:
      preview === null
        ? null
        : {
            tidspunkt: instant(preview.madeAtMs),
            vaern: [...preview.guards],
            tal: renderNumbers(preview.numbers),
          },
    kraever_godkendelse: change.needsConfirmation,
    godkendt:
      confirmation === null
        ? null
        : {
            tidspunkt: instant(confirmation.atMs),
            af: confirmation.by,
            bemaerkning: confirmation.remark,
            tal: renderNumbers(confirmation.numbers),
          },
    udfoert:
      carriedOut === null
        ? null
        : { tidspunkt: instant(carriedOut.atMs), version: carriedOut.version },
  };
}

function sourceOf({ fromRegister, announced }: DatedChange): 'register' | 'opslag' | 'begge' {
  if (announced === null) return 'register';
  return fromRegister ? 'begge' : 'opslag';
}

function renderNumbers(numbers: ChangeNumbers) {
  return {
    raekker_foer: numbers.rowsBefore,
    raekker_efter: numbers.rowsAfter,
    nye: numbers.inserted,
    aendrede: numbers.changed,
    fjernede: numbers.removed,
    areal_foer_m2: numbers.areaBeforeM2,
    areal_efter_m2: numbers.areaAfterM2,
    kanariepunkter: numbers.canaryAsked,
    kanariepunkter_aendret: numbers.canaryChanged,
    adresser: numbers.located?.[ADDRESSES] ?? null,
  };
}
