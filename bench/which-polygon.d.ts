/** What the benchmarks use of which-polygon, which brings no types of its own. */
declare module 'which-polygon' {
  export default function whichPolygon(collection: {
    readonly type: 'FeatureCollection';
    readonly features: readonly unknown[];
  }): (point: readonly [number, number]) => Readonly<Record<string, unknown>> | null;
}
