/** A host that takes no connection is known by one try a minute, for all of its layers. */
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import type { Layer } from '../../src/layers/catalogue.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { Reach } from '../../sync/reach.ts';
import { freePort, listening } from '../support/free-port.ts';

test('throws where none of the hosts takes a connection, and asks each once', async () => {
  let connections = 0;
  const server = createServer(() => (connections += 1));
  const [port, shut] = [await listening(server), await freePort()];
  const { soe } = REGISTERS_CATALOGUE.lines;
  const at = (place: number): Layer => ({
    ...soe,
    source: { ...soe.source, url: `http://127.0.0.1:${place}/wfs` },
  });
  const reach = new Reach();
  for (let n = 0; n < 3; n++) await reach.require(at(port));
  await expect(reach.require(at(shut))).rejects.toMatchObject({
    kind: 'connection',
    message: `127.0.0.1:${shut} cannot be reached (ECONNREFUSED)`,
  });
  expect(await reach.table([at(port), at(shut)])).toEqual(
    new Map([
      [`127.0.0.1:${port}`, null],
      [`127.0.0.1:${shut}`, 'cannot be reached (ECONNREFUSED)'],
    ]),
  );
  expect(connections).toBe(1);
  server.close();
});
