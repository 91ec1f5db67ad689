import { ValidationError } from './errors/ValidationError.ts'

/** The message of R7 for a value that is no string. */
export function requireString(name: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') throw new ValidationError(`${name} can only be a string type`)
}
