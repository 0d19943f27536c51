/** Letters written to a folder, and what is read of them. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeLetters } from '../../src/account/letters.ts';
import type { Letters } from '../../src/account/letters.ts';
import type { AccountBench } from '../account/accounts-fixture.ts';

export interface LetterBox {
  readonly letters: Letters;
  readonly troubles: string[];
  /** Lets so many letters wait that none is taken; call the answer to end it. */
  fill(): () => void;
  /** Since the last time, the oldest first. */
  received(): Promise<readonly string[]>;
  remove(): void;
}

export function letterBox(bench: AccountBench, baseUrl: () => string): LetterBox {
  const dir = mkdtempSync(join(tmpdir(), 'letters-'));
  const troubles: string[] = [];
  const { letters, outbox } = composeLetters(bench, {
    ...{ settings: { from: 'Geoopslag <geo@example.dk>', dir }, baseUrl },
    trouble: (code) => troubles.push(code),
  });
  return {
    ...{ letters, troubles },
    fill: () => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      while (outbox.post(() => promise));
      return () => resolve(undefined);
    },
    received: async () => {
      await outbox.idle();
      return readdirSync(dir)
        .sort()
        .map((name) => {
          const text = readFileSync(join(dir, name), 'utf8');
          rmSync(join(dir, name));
          return text;
        });
    },
    remove: () => rmSync(dir, { recursive: true }),
  };
}

export function tokensIn(letter = ''): readonly string[] {
  return [...letter.matchAll(/\/log-ind#([\w-]{43})/g)].map(([, token]) => token!);
}
