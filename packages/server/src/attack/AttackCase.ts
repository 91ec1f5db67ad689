import type { AttackClass } from './AttackClass.ts'
import type { Cast } from './createCast.ts'
import type { Scene } from './createScene.ts'
import type { CaseTitle } from './Finding.ts'

/** Attack that a server must withstand. */
export type AttackCase = CaseTitle & {
  run(scene: Scene, cast: Cast): Promise<void>
}

/** Makes cases of one class. */
export const casesOf =
  (of: AttackClass) =>
  (name: string, sources: string, run: AttackCase['run']): AttackCase => ({ class: of, name, sources, run })
