import { insideOf } from './src/registers/addresses/index/outside.ts';
import { numbersInDigits } from './src/registers/addresses/index/number-words.ts';
const known = { isPlace: () => false, mayHaveNames: true };
for (const t of ['Elmevej 12, k5. tv, 1408 Gelrup','Bageren ApS, Ny Prøvegade 8, 9000 Prøveby','Vestergade 12, 1. tv, Bolbro, 5200 Odense V']) {
 let s=performance.now(); for (let i=0;i<2000;i++) insideOf(t, known); console.log(t, (performance.now()-s)/2000*1000,'us');
 s=performance.now(); for (let i=0;i<2000;i++) numbersInDigits(t); console.log(' numbers', (performance.now()-s)/2000*1000,'us');
}
