import { requireString } from './requireString.ts'

/** Checks `username`, `password` and `email` where they are supplied (R7). */
export function requireStrings(fields: object): void {
  const given = new Map<string, unknown>(Object.entries(fields))
  for (const name of ['username', 'password', 'email']) {
    if (given.get(name) !== undefined) requireString(name, given.get(name))
  }
}
