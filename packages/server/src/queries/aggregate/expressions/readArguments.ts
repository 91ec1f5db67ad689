import type { Write } from '../Operator.ts'
import { invalid, type Value } from '../Value.ts'
import type { Place } from '../Work.ts'

/** The arguments of an operator, which may stand without a list where there is one. */
export function readArguments(
  place: Place,
  write: Write,
  name: string,
  argument: unknown,
  least: number,
  most = least,
): Value[] {
  const list = Array.isArray(argument) ? argument : [argument]
  if (list.length < least || list.length > most) {
    const wanted =
      least === most ? `${least}` : most === Number.POSITIVE_INFINITY ? `${least} or more` : `${least} to ${most}`
    throw invalid(`Expression ${name} takes ${wanted} arguments, but ${list.length} were given.`)
  }
  return list.map((expression) => write(place, expression))
}
