/**
 * `npm run build:web`: bundles the pages in advance, for an image whose user may not write the
 * folder.
 */
import { webBundle } from './bundle.ts';

const { files } = await webBundle();
console.log(`${files.size} files of the pages are ready.`);
