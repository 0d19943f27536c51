import { placesIn } from './keys.ts';
import type { CompareTask } from './tasks.ts';

export default function run({ changed, lists }: CompareTask): readonly Uint32Array[] {
  return lists.map((list) => placesIn(changed, list));
}
