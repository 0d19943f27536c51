import { createAddressFinder } from './src/registers/addresses/index/finder.ts';
import { openAddressIndex } from './src/registers/addresses/index/address-index.ts';
import { buildAddressIndex } from './src/registers/addresses/index/build-index.ts';
import { hardRows } from './test/addresses/hard-roads.ts';
import { Truth, realRows } from './test/addresses/truth.ts';
import { randomOf } from './test/addresses/score.ts';
import { nationalAddresses } from './bench/national/addresses.ts';
import { Land } from './bench/national/land.ts';
import { written, unitText, list, place } from './test/addresses/writing.ts';
const made = nationalAddresses(new Land(0.01));
const sets: any = { hard: hardRows(), real: realRows(), invented: { ...made, accesses: [...made.accesses] } };
const seed = Number(process.argv[2] ?? 1);
const FIRST='Jens Mona Søren Kirsten Åge Birthe Ole Anne-Marie Muhammed Niels Lars Hanne Per Bo Ib Ida Kurt'.split(' ');
const LAST='Hansen Jensen Nielsen Kjærgaard Møller Sørensen Lund Holm Bakke Dahl Kirkegaard Vestergaard Bech Thomsen Ali Nguyen Skov Toft'.split(' ');
const FIRMS=['Bageren','Nordisk Handel','Dansk Auto Center','Hansen & Søn','Møllers Tømrerfirma','Byens Cykler','Fysioterapi Nord','Café Kompas','Frisør Klip','Rengøring Plus','K. Lund Ejendomme','Vestjysk Bank','XL Byg','Super Brugsen','Kompan','Tandlægerne','Havnens Fisk','Det Blå Hus'];
for (const [name, rows] of Object.entries(sets) as any) {
  const truth = new Truth(rows); const f = createAddressFinder(openAddressIndex(buildAddressIndex(1, rows)));
  const r = randomOf(seed*77); const p = (l: any) => l[Math.floor(l.length*r())];
  const d = (n: number) => Array.from({length:n},()=>Math.floor(10*r())).join('').replace(/^0/,'2');
  const person = () => `${p(FIRST)} ${r()<.3? p(LAST)+' ':''}${p(LAST)}`;
  const tlf = () => { const t=d(8); return p([`tlf. ${t}`,`Tlf.: ${t.replace(/(..)(?=.)/g,'$1 ')}`,`+45 ${t}`,`mobil ${t}`,`Telefon ${t}`,`tlf ${t.replace(/(....)/,'$1 ')}`]); };
  const kinds: [string,(a:any)=>string][] = [
    ['firm ApS before', a=>`${p(FIRMS)} ${p(['ApS','A/S','I/S','IVS','K/S','P/S'])}${p([', ','\n',' - ','; '])}${written(a)}`],
    ['firm bare before', a=>`${p(FIRMS)}, ${written(a)}`],
    ['person before', a=>`${person()}${p([', ','\n'])}${written(a)}`],
    ['att before', a=>`${p(['Att. ','Att: ','att.: ','Attn: ','ATT. '])}${person()}, ${written(a)}`],
    ['c/o before', a=>`${p(['c/o ','C/O ','c/o. '])}${person()}, ${written(a)}`],
    ['c/o middle', a=>list(`${a.road} ${a.number}`, unitText(a), `c/o ${person()}`, a.town, place(a))],
    ['c/o inside', a=>list(`${a.road} ${a.number} c/o ${person()}`, a.town, place(a))],
    ['tel behind', a=>`${written(a)}${p([', ',' ','\n','. '])}${tlf()}`],
    ['tel before', a=>`${tlf()}, ${written(a)}`],
    ['tel middle', a=>list(`${a.road} ${a.number} ${tlf()}`, unitText(a), a.town, place(a))],
    ['email', a=>`${written(a)}, ${p(['info@firma.dk','E-mail: jens.hansen@mail.dk','mail: a@b.com'])}`],
    ['web', a=>`${written(a)}, ${p(['www.firma.dk','https://firma.dk','firma.dk'])}`],
    ['cvr', a=>`${written(a)}, ${p(['CVR ','CVR-nr. ','CVR nr.: ','CVR: ','cvr.nr. '])}${d(8)}`],
    ['firm + person + tel', a=>`${p(FIRMS)} ApS\n${p(['Att. ','v/ ','c/o '])}${person()}\n${a.road} ${a.number}${unitText(a)?', '+unitText(a):''}\n${list(a.town, place(a))}\nDanmark\n${tlf()}`],
    ['firm behind', a=>`${written(a)} (${p(FIRMS)} ApS)`],
    ['firm no comma', a=>`${p(FIRMS)} ApS ${written(a)}`],
    ['v/', a=>`${p(FIRMS)} v/${person()}, ${written(a)}`],
    // never sure
    ['!other number', a=>`${written({...a, number: String(1+Math.floor(300*r()))+'Å'})}, ${tlf()}`],
    ['!other road before', a=>`${p(truth.houses).road}, ${a.road} ${a.number}, ${place(a)}`],
    ['!two addresses', a=>{ const b=p(truth.houses); return `${b.road} ${b.number}, ${a.road} ${a.number}, ${place(a)}`}],
    ['!other town', a=>`${p(FIRMS)} ApS, ${a.road} ${a.number}, ${a.code} Ukendtby`],
    ['!unit before', a=>`${p(['Baghuset','Opgang B','Hus 3','Lejl. 3','Stuen','3. sal','Blok 2','kld.'])}, ${person()}, ${a.road} ${a.number}, ${place(a)}`],
  ];
  const N = Number(process.argv[3] ?? 60);
  for (const [k, make] of kinds) {
    let ab=0, wrong: string[]=[], misses: string[]=[], n=0;
    for (let i=0;i<N;i++) {
      const isH = k[0]==='!'||r()<.5||k==='c/o inside'; const a = isH ? p(truth.houses) : p(truth.units.length? truth.units: truth.houses); if(!isH&&a.floor===null&&a.door===null) continue;
      const text = make(a); const asks = isH ? 'access' : 'unit';
      const right = new Set(truth.namesakes(a).filter((x:any)=>x.code===a.code).map((x:any)=>x.id));
      if (right.size>1) continue; n++;
      const { category, candidates } = f.cleanse({ text }, asks as any, 5);
      const base = f.cleanse({ text: written(a) }, asks as any, 5);
      const sure = category==='A'||category==='B';
      if (sure) { ab++; if (k[0]==='!' || !right.has(candidates[0]!.address.id) || (category==='A' )) wrong.push(`${category} ${text} => ${candidates[0]!.address.designation}`); }
      else if (base.category!=='C') misses.push(text.replaceAll('\n','⏎'));
    }
    if (k[0]==='!' ? wrong.length : (wrong.length || ab<0.98*n)) console.log(name.padEnd(9), k.padEnd(20), `${ab}/${n}`, 'WRONG', wrong.length, wrong.slice(0,3), 'MISS', misses.slice(0,4));
  }
}
