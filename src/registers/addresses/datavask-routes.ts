import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../kernel/failures.ts';
import type { WrittenAddress } from './addresses.ts';
import { answered, pageLookup } from '../../http/access.ts';
import { JsonWriter } from '../../answers/json-writer.ts';
import { sendBytes } from '../../http/wire/send-json.ts';
import { tellProvenance } from '../../http/wire/provenance.ts';
import type { AddressRouteParts } from './route-parts.ts';
import { candidateText } from './datavask-answer.ts';
import { datavaskRoute } from './datavask-schema.ts';

const PAGE = pageLookup('adresser');

export function datavaskRoutes(
  app: FastifyInstance,
  { addresses, meta: source }: AddressRouteParts,
): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const out = new JsonWriter();
  const meta = `"meta":${JSON.stringify(source)}`;

  routes.get('/v1/datavask', { schema: datavaskRoute, config: PAGE }, (request, reply) => {
    const { type } = request.query;
    const kind = type === undefined ? null : type === 'adgangsadresse' ? 'access' : 'unit';
    const written = writtenOf(request.query);
    const { value, ...facts } = addresses.cleansing.cleanse(written, kind);
    const { category, candidates } = value;
    tellProvenance(reply, facts);
    // No match is not billed, like a failed row of a job (D62).
    answered(request, candidates.length > 0 ? 1 : 0, facts.generation);
    out.begin().ascii(`{"kategori":${category === null ? 'null' : `"${category}"`},"resultater":[`);
    for (const [i, each] of candidates.entries()) {
      out.text(`${i > 0 ? ',' : ''}${candidateText(each)}`);
    }
    out.text(`],${meta}}`);
    void sendBytes(reply, out.take());
  });
}

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
function writtenOf({ betegnelse, ...parts }: Written): WrittenAddress {
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
