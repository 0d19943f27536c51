import { createAddressFinder } from './src/registers/addresses/index/finder.ts';
import { openAddressIndex } from './src/registers/addresses/index/address-index.ts';
import { buildAddressIndex } from './src/registers/addresses/index/build-index.ts';
import { smallIndex } from './test/addresses/small-index.ts';
const units='st.tv st.th st.mf 1.tv 1.th 2.tv 2.th 2.mf 2.3 2.a1 12.th kl.tv k2. kl.';
const HOUSES='Birkevej 12|Birkevej 12A|Birkevej 12B|Birkevej 21|Birkvej 12|Birkely 12|Kirkevej 12|Elmevej 12';
const f = createAddressFinder(openAddressIndex(buildAddressIndex(1, smallIndex(HOUSES.split('|').map(h=>({road:h.split(' ')[0]!,numbers:h.split(' ')[1]!,units,place:'1408 Gelrup'}))))));
for (const t of ['Elmevej 12, 1. tq, 1408 Gelrup','Elmevej 12, 1x. tv, 1408 Gelrup','Elmevej 12, st. venstqe, 1408 Gelrup','Elmevej 12, st. tv, 1408 Gelrup','Elmevej 12, st. vxnstrez, 1408 Gelrup']) { f.cleanse({text:t},'unit',5); const s=(process.cpuUsage().user/1000); for (let i=0;i<100;i++) f.cleanse({text:t},'unit',5); console.log(t,((process.cpuUsage().user/1000)-s)/100,'ms'); }
