import { createAddressFinder } from './src/registers/addresses/index/finder.ts';
import { openAddressIndex } from './src/registers/addresses/index/address-index.ts';
import { buildAddressIndex } from './src/registers/addresses/index/build-index.ts';
import { hardRows } from './test/addresses/hard-roads.ts';
import { Truth } from './test/addresses/truth.ts';
import { questions, textOf } from './test/addresses/score.ts';
import { readFileSync, writeFileSync, existsSync } from 'node:fs';
const rows = hardRows();
const f = createAddressFinder(openAddressIndex(buildAddressIndex(1, rows), { verified: true }));
const F='/tmp/h4texts.json';
if (!existsSync(F)) writeFileSync(F, JSON.stringify([...questions(new Truth(rows), 8, 77)].map(q => textOf(q.written))));
const texts: string[] = JSON.parse(readFileSync(F,'utf8'));
for (const t of texts) f.cleanse({text:t}, null, 5);
for (let k=0;k<2;k++){const s=process.cpuUsage().user; for (const t of texts) f.cleanse({text:t}, null, 5);
console.log(texts.length, ((process.cpuUsage().user-s)/texts.length).toFixed(1),'us each');}
