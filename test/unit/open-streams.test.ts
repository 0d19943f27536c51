import type { EventEmitter } from 'node:events';
import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { CounterLimits } from '../../src/kernel/limited-counter.ts';
import { localLimiters } from '../../src/kernel/limiters.ts';
import { OpenStreams } from '../../src/http/wire/open-streams.ts';

const reply = () => ({ raw: new ServerResponse(new IncomingMessage(new Socket())) });
const counter = (limits: CounterLimits) => localLimiters().counter('job files', limits);
const FILES = { en: 'files', da: 'filer' };
const close = ({ raw }: { raw: EventEmitter }) => raw.emit('close');

test('so many are open for one account and in all, until they close', () => {
  const open = new OpenStreams(counter({ each: 1, total: 2 }), FILES);
  const first = reply();
  open.enter('a', first);
  expect(() => open.enter('a', reply())).toThrow('Too many files are open.');
  open.enter('b', reply());
  expect(() => open.enter('c', reply())).toThrow('Too many files are open.');
  close(first);
  expect(() => open.enter('c', reply())).not.toThrow();
});

test('who hung up while its job was looked up is not counted for ever', () => {
  const open = new OpenStreams(counter({ each: 1, total: 1 }), FILES);
  const gone = reply();
  gone.raw.destroy();
  expect(() => open.enter('a', gone)).toThrow('The connection was closed');
  expect(() => open.enter('a', reply())).not.toThrow();
});
