/** A command of an operator: in this process, which has loaded most of it, or as a program, which takes a second. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';
import { bareEnvironment } from '../support/compile-cache.ts';

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export function startCommand(
  program: string,
  argv: readonly string[],
  settings: Readonly<Record<string, string>>,
) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../..', program), ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...bareEnvironment(), ...settings },
  });
  const done = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
  return {
    child,
    ended: done.then(([[code], out, err]) => ({ code: code as number | null, out, err })),
  };
}

/** Runs it with settings of its own; what it sets and listens to is put back. */
export async function saidBy(
  command: () => Promise<number>,
  settings: Readonly<Record<string, string>>,
): Promise<Said> {
  const said = { out: '', err: '' };
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((line: string) => void (said.out += `${line}\n`)),
    vi.spyOn(console, 'error').mockImplementation((line: string) => void (said.err += `${line}\n`)),
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      said.out += String(text);
      return true;
    }),
  ];
  const before = new Set(signalListeners().map(([, listener]) => listener));
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  try {
    return { code: await command(), ...said };
  } finally {
    vi.unstubAllEnvs();
    for (const spy of spies) spy.mockRestore();
    for (const [signal, listener] of signalListeners())
      if (!before.has(listener)) process.off(signal, listener);
  }
}

function signalListeners() {
  return (['SIGINT', 'SIGTERM'] as const).flatMap((signal) =>
    process.listeners(signal).map((listener) => [signal, listener] as const),
  );
}
