/**
 * Where node keeps the code it has compiled, types stripped, from program to program: a start of the
 * whole service is some 150 files, and takes half the time when another program has loaded them before.
 * Node checks each entry against its source; a program that is killed leaves the folder as it was.
 */
import { join } from 'node:path';

/** The folder of `npm start`, for `NODE_COMPILE_CACHE`: the gate has started the service before it runs tests. */
export function compileCache(): string {
  return join(import.meta.dirname, '../../node_modules/.cache/compiled');
}

/** For programs that get an environment of their own, with nothing else of ours in it. */
export function bareEnvironment(): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? compileCache(),
  };
}
