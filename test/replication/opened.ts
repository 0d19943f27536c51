/** DAWA's replication over the sample's mirrored registers, numbered. */
import type { FastifyInstance } from 'fastify';
import { ReplicationLog } from '../../src/replication/log.ts';
import { numberReplication } from '../../src/replication/number.ts';
import type { KeptAccess } from '../edge/access.ts';
import { doorParts } from '../edge/dawa-edge.ts';
import { memoryApp } from '../edge/edge.ts';
import { openLongAnswers } from '../support/long-answers.ts';
import { openMirroredStore } from '../support/mirrored-store.ts';

type Replication = NonNullable<ReturnType<typeof doorParts>['replication']>;

/** Close it yourself. */
export function replicationApp(
  replication: Replication,
  access?: KeptAccess,
): Promise<FastifyInstance> {
  return memoryApp({ ...(access && { access }), dawa: { ...doorParts(), replication } });
}

export async function openReplication(access?: KeptAccess) {
  const store = await openMirroredStore('served');
  const log = new ReplicationLog(store);
  const long = openLongAnswers(store);
  const app = await replicationApp({ log, ...long }, access);
  await numberReplication(store);
  const close = async (): Promise<void> => {
    await app.close();
    await long.close();
    await store.close();
  };
  return { store, log, long, app, close };
}
