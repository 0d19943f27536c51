/** A written address from the parameters of a request. */
import { Failure } from '../../kernel/failures.ts';
import type { WrittenAddress } from './addresses.ts';

interface Written {
  readonly betegnelse?: string;
  readonly vej?: string;
  readonly husnr?: string;
  readonly etage?: string;
  readonly doer?: string;
  readonly postnr?: string;
  readonly by?: string;
}

/** The whole text or its parts, never both. Throws invalid_request. */
export function writtenOf({ betegnelse, ...parts }: Written): WrittenAddress {
  const { vej, husnr, etage, doer, postnr, by } = parts;
  const named = [vej, husnr, etage, doer, postnr, by].some((part) => part !== undefined);
  if (betegnelse !== undefined && named) {
    throw refusal(
      'Send either betegnelse, or vej with the other parts; not both.',
      'Send enten betegnelse eller vej med de andre dele; ikke begge dele.',
    );
  }
  if (betegnelse !== undefined) return { text: betegnelse };
  const road = partOf(vej);
  if (road === null) {
    throw refusal(
      'The address is missing: send betegnelse, or vej with husnr, etage, doer, postnr and by.',
      'Adressen mangler: send betegnelse eller vej med husnr, etage, doer, postnr og by.',
    );
  }
  return {
    road,
    houseNumber: partOf(husnr),
    floor: partOf(etage),
    door: partOf(doer),
    postcode: partOf(postnr),
    town: partOf(by),
  };
}

/** An empty part counts as absent: callers send every column of their row. */
function partOf(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

function refusal(error: string, errorDa: string): Failure {
  return new Failure('invalid_request', { error, errorDa });
}
