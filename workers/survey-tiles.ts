import type { TileSurvey } from '../src/snapshot/tiles/cut.ts';
import type { SurveyTilesTask } from '../src/snapshot/tiles/tile-task.ts';
import { tileCutter } from './tile-cutters.ts';

export default function run({ snapshot }: SurveyTilesTask): TileSurvey {
  return tileCutter(snapshot).survey();
}
