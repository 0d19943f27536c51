/** Where went what is not offered. */

const WENT: Readonly<Record<string, string>> = {
  replikering: 'Replication is not offered here: GET /v1/kort/lag/{lag} has whole layers.',
  historik:
    'The versions of addresses are not mirrored here: an id that is unknown answers [], POST /v1/jobs and GET /v1/datavask know former names.',
  matrikeljordstykker: 'Parcels are at /jordstykker of this door.',
  bbr: 'Buildings are at GET /v1/bbr/ejendom/{bfe} here.',
  bbrlight: 'Buildings are at GET /v1/bbr/ejendom/{bfe} here.',
  ejerlejligheder: 'Owner-occupied flats are at GET /v1/bbr/ejendom/{bfe} here.',
  ois: 'Buildings are at GET /v1/bbr/ejendom/{bfe} here.',
  hoejder: 'Heights are at GET /v1/dhm/kote here.',
  bygninger: 'Buildings are at GET /v1/bbr/ejendom/{bfe} here.',
  supplerendebynavne2:
    'The areas of supplementary town names are not mirrored here: /adgangsadresser/reverse of this door has the name of the nearest address.',
  vejstykker:
    'The lines of roads are not mirrored here: /adgangsadresser/reverse of this door has the road of the nearest address.',
  navngivneveje: 'The lines of roads are not mirrored here, nor what lies beside them.',
  afstemningsomraader: 'Polling districts are not mirrored here.',
  menighedsraadsafstemningsomraader: 'Polling districts are not mirrored here.',
  storkredse: 'Constituencies are not mirrored here.',
  valglandsdele: 'Electoral regions are not mirrored here.',
};

export function successorOf(path: string): string {
  const [name = ''] = path.split('/').filter((part) => part !== '');
  return WENT[name.toLowerCase()] ?? 'Nothing exists at this path; docs/dawa.md lists what does.';
}
