import type { Value } from './Value.ts'
import type { Place } from './Work.ts'

export type Write = (place: Place, expression: unknown) => Value

/** Writes the arguments of an operator: inner expressions go back through `write`. */
export type Operator = (place: Place, argument: unknown, write: Write) => Value
