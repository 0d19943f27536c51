import { areSound } from './sound.ts';

export default function run({ wkb }: { readonly wkb: Uint8Array }): boolean {
  return areSound(wkb);
}
