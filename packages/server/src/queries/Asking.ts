import type { Classes } from '../classes/createClasses.ts'
import type { Config } from '../config/Config.ts'
import type { Access } from '../roles/Access.ts'

/** Who asks, and what the question is measured by. */
export type Asking = {
  readonly classes: Classes
  readonly config: Config
  readonly access: Access
  readonly now: Date
}
