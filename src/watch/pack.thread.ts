import { keyOf, packKeys } from './keys.ts';
import type { PackTask, Packed } from './tasks.ts';

export default function run({ kind, objects }: PackTask): Packed {
  const keys: string[] = [];
  for (const [at, object] of objects.entries()) {
    const key = keyOf(kind, String(object));
    if (key === null) return { keys: new Uint8Array(), bad: at };
    keys.push(key);
  }
  return { keys: packKeys(keys), bad: null };
}
