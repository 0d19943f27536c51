import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Trial } from '../../account/trial.ts';
import type { Failure } from '../../kernel/failures.ts';
import type { Limiters } from '../../kernel/limiters.ts';
import type { Typing } from '../typing.ts';
import type { Language } from '../wire/text.ts';
import { answerPreflight } from '../plugins/cors.ts';
import { unknownRoute } from '../plugins/route-table.ts';
import { addressDoor } from './addresses.ts';
import { areaDoor } from './areas.ts';
import { autocompleteDoor } from './autocomplete.ts';
import { bbrLightDoor } from './bbr-light.ts';
import { dawaErrorOf } from './failure.ts';
import { Mount } from './mount.ts';
import type { DoorSettings } from './mount.ts';
import { districtDoor } from './districts.ts';
import { datavaskDoor } from './datavask.ts';
import { parcelDoor } from './parcels.ts';
import { placeNameDoor } from './place-names.ts';
import { postcodeDoor } from './postcodes.ts';
import { composedAreaDoor } from './composed-areas.ts';
import { pollingDoor } from './polling.ts';
import { replicationDoor } from './replication/routes.ts';
import type { ReplicationParts } from './replication/routes.ts';
import { roadDoor } from './roads.ts';
import { routesOf } from './routes.ts';
import type { DoorLookups } from './routes.ts';
import { townDoor } from './towns.ts';

const PARTS = [
  ...[autocompleteDoor, addressDoor, areaDoor, postcodeDoor],
  ...[roadDoor, datavaskDoor, placeNameDoor, parcelDoor],
  ...[districtDoor, townDoor, composedAreaDoor, bbrLightDoor, pollingDoor],
];

export interface DoorParts {
  readonly settings: DoorSettings;
  readonly lookups: DoorLookups;
  /** Absent: not mounted. */
  readonly replication?: ReplicationParts;
}

interface Edge {
  readonly limiters: Limiters;
  readonly publicUrl: string | null;
  readonly trial: Trial | null;
  readonly typing: Typing;
  readonly isStoreUnavailable: () => boolean;
}

export class Door {
  readonly #mount: Mount;
  readonly #parts: DoorParts;
  readonly #edge: Edge;

  constructor(parts: DoorParts, edge: Edge) {
    this.#mount = new Mount(parts.settings, edge.publicUrl);
    this.#parts = parts;
    this.#edge = edge;
  }

  /** Call before the routes. */
  guard(app: FastifyInstance): void {
    app.addHook('onRequest', (request, reply, done) => {
      // Browsers may read a 404 of this door only after an answered preflight.
      const isPreflight = request.is404 && request.method === 'OPTIONS' && this.owns(request);
      if (isPreflight) return void answerPreflight(request, reply);
      done(this.hides(request) ? unknownRoute([]) : undefined);
    });
  }

  /** DAWA's own host serves lookups only. */
  hides({ is404, raw, routeOptions: { config } }: FastifyRequest): boolean {
    if (is404 || !this.#mount.isAtOwnHost(raw)) return false;
    return config.access === undefined && config.isReadableByPages !== true;
  }

  install(app: FastifyInstance): void {
    const { settings, lookups, replication } = this.#parts;
    const { trial, limiters, ...edge } = this.#edge;
    const entry = { ...edge, mount: this.#mount, trial: settings.isOpen ? trial : null };
    const add = routesOf(app, entry);
    for (const part of PARTS) part(add, lookups);
    if (replication !== undefined) replicationDoor(app, replication, limiters);
  }

  rewrite(request: Parameters<Mount['rewrite']>[0]): string {
    return this.#mount.rewrite(request);
  }

  owns({ url }: Pick<FastifyRequest, 'url'>): boolean {
    return this.#mount.owns(url);
  }

  errorText(failure: Failure, request: FastifyRequest, language: Language): string {
    const error = dawaErrorOf(failure, {
      path: this.#mount.pathOf(request.url),
      language,
      requestId: request.id,
      isUnknownPath: request.is404,
    });
    return JSON.stringify(error, null, 2);
  }
}
