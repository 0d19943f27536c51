/** Parameters are read before a burst token is taken. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Area } from '../../account/permissions.ts';
import type { Trial } from '../../account/trial.ts';
import type { AnswerFacts } from '../../answers/provenance.ts';
import type { TypingAct } from '../../core/question/question.ts';
import type { Point } from '../../geo/point.ts';
import type { Deadline } from '../../kernel/deadline.ts';
import type { Coverage } from '../../layers/coverage.ts';
import type { Addresses } from '../../registers/addresses/lookup.ts';
import type { AreaLookups } from '../../registers/areas/lookup.ts';
import type { Parcels } from '../../registers/cadastre/parcel-lookup.ts';
import type { Places } from '../../registers/places/lookup.ts';
import type { FindBuilt } from '../../registers/property/built.ts';
import type { Typing } from '../typing.ts';
import { deadlineOf } from '../wire/deadline.ts';
import { provenanceHeaders } from '../../answers/provenance.ts';
import { bodyOf, fileNamed } from '../wire/row-formats.ts';
import { badParameter } from './failure.ts';
import type { Format, Rows } from '../wire/row-formats.ts';
import { sendBody } from '../wire/send-body.ts';
import { PREFIX } from './mount.ts';
import type { Mount } from './mount.ts';
import { parametersOf } from './parameters.ts';
import { Params, formatOf } from './params.ts';

export interface DoorLookups extends Pick<AreaLookups, 'areas' | 'areaList' | 'reverseAreas'> {
  readonly addresses: Addresses;
  readonly places: Places;
  readonly parcels: Parcels;
  readonly built: FindBuilt;
  /** Metres; null: unknown unless its register is asked. Throws where its tiles cannot be read. */
  readonly heightAt: (point: Point) => Promise<number | null>;
  readonly coverage: Coverage | null;
  readonly placesCoverage: Coverage | null;
  readonly parcelsCoverage: Coverage | null;
}

export interface Asked {
  readonly params: Params;
  readonly path: Readonly<Record<string, string>>;
  readonly format: Format;
}

export interface Around {
  readonly base: string;
  readonly format: Format;
  readonly deadline: Deadline;
  /** Call where a row lacks what a register that does not answer would add (D265). */
  readonly lacksSome: () => void;
}

export interface DoorAnswer<R> extends Rows<R> {
  readonly facts: AnswerFacts;
  readonly units: number;
}

export interface DoorRoute<Q, R> {
  /** The equivalent under `/v1`. */
  readonly operation: string;
  readonly area: Area;
  /** Counts as typing an address (D153). */
  readonly typing?: (question: Q) => TypingAct;
  readonly read: (asked: Asked) => Q;
  readonly answer: (question: Q, around: Around) => DoorAnswer<R> | Promise<DoorAnswer<R>>;
}

export type AddRoute = <Q, R>(path: string, route: DoorRoute<Q, R>) => void;

export interface Entry {
  readonly mount: Mount;
  readonly typing: Typing;
  /** null: a key is required. */
  readonly trial: Trial | null;
  readonly isStoreUnavailable: () => boolean;
}

interface Read<Q> {
  readonly question: Q;
  readonly format: Format;
}

/** Every answer already includes what these would add. */
const SERVED = 'fuzzy supplerendebynavn stormodtagerpostnumre landpostnumre stormodtagere'.split(
  ' ',
);

export function routesOf(app: FastifyInstance, entry: Entry): AddRoute {
  const { mount, typing, trial, isStoreUnavailable } = entry;
  return <Q, R>(path: string, route: DoorRoute<Q, R>) => {
    const names = parametersOf(path);
    const known = new WeakMap<FastifyRequest, Read<Q>>();
    const readOf = (request: FastifyRequest): Read<Q> => {
      const found = known.get(request);
      if (found !== undefined) return found;
      const params = new Params(request.query);
      const format = formatOf(params);
      const read = {
        question: route.read({ params, path: request.params as Asked['path'], format }),
        format,
      };
      params.refuseUnread(names, SERVED);
      known.set(request, read);
      return read;
    };
    const { area, operation } = route;
    const access = { area, publicKeys: true, check: readOf, restoresBurst: true, trial };
    app.get(
      PREFIX + path,
      {
        schema: { hide: true, operationId: operation },
        config: { access, isReadableByPages: true },
      },
      async (request, reply) => {
        const { question, format } = readOf(request);
        const told = { isWhole: true };
        const lacksSome = () => void (told.isWhole = false);
        const at = { base: mount.baseOf(request), deadline: deadlineOf(reply) };
        const around = { ...at, format, lacksSome };
        const { facts: found, units: alone, ...answer } = await route.answer(question, around);
        if (format.format === 'geojson' && answer.shape.geometry === undefined) {
          throw badParameter('format', 'geojson is not offered here');
        }
        const body = await bodyOf(format, answer);
        const facts = told.isWhole ? found : { ...found, isPartial: true };
        void reply.headers(provenanceHeaders(facts));
        if (format.isFile) reply.header('content-disposition', fileNamed(path, format));
        const act = route.typing?.(question);
        const units = act === undefined ? alone : typing.units(request, act, alone);
        const { generation, provenance, isPartial = false } = facts;
        // While the store is away, answers may lack what only it has.
        const isWhole = !isPartial && !isStoreUnavailable();
        const isKept = isWhole && provenance.every(({ rung }) => rung !== 'stale');
        return await sendBody({ request, reply }, body, { units, generation, isKept });
      },
    );
  };
}
