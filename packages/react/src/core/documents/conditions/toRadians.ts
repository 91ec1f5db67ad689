import { ValidationError } from '../../errors/ValidationError.ts'

export type Distance = { readonly kilometers: number } | { readonly miles: number } | { readonly radians: number }

/** A distance as an angle at the centre of the Earth, whose radius is 6371 km or 3958.8 miles (R26). */
export function toRadians(distance: Distance): number {
  const radians =
    'kilometers' in distance
      ? distance.kilometers / 6371
      : 'miles' in distance
        ? distance.miles / 3958.8
        : distance.radians
  if (!(radians >= 0)) {
    throw new ValidationError('A distance must be a number from 0 up.', `Received ${JSON.stringify(distance)}.`)
  }
  return radians
}
