import type { Bindings } from '../db/createBindings.ts'
import type { Access } from '../roles/Access.ts'

/** A statement that is being written. */
export type Writing = { readonly bindings: Bindings; readonly access: Access; aliases: number }

/** A name for one more table of the statement. */
export function nextAlias(writing: Writing): string {
  return `q${++writing.aliases}`
}
