import type { Registry } from './Registry.ts'

/** A registry with nothing in it. */
export function createRegistry(): Registry {
  return { functions: new Map(), jobs: new Map(), hooks: new Map() }
}
