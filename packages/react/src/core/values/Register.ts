import type { FieldValue } from './FieldValue.ts'

/**
 * Types that an application registers: fields of its classes for queries, saves and hooks, its functions, and its
 * chains by name and id. `countersign types` writes it, or a person does.
 *
 * @example
 * declare module '@countersign/react' {
 *   interface Register {
 *     classes: { Game: { title: string; score?: number; owner?: Pointer<'_User'> } }
 *     functions: { averageStars: { input: { movie: string }; output: { average: number } } }
 *     chains: { ethereum: 1; base: 8453 }
 *   }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: applications add to it, which a type would not allow
export interface Register {}

/** Fields of a class that is not registered. */
export type AnyFields = { readonly [field: string]: FieldValue | undefined }

/** The classes that every server has, where the application does not register more of them. */
type SystemClasses = {
  _User: AnyFields
  _Role: AnyFields
  _Session: AnyFields
  _Installation: AnyFields
}

type Classes = Register extends { classes: infer Registered }
  ? Registered & Omit<SystemClasses, keyof Registered>
  : { [className: string]: AnyFields }

export type ClassName = keyof Classes & string

/** The fields of a class, without those that every object has. */
export type FieldsOf<Name extends ClassName> = Omit<Classes[Name], OwnField>

type OwnField = 'objectId' | 'createdAt' | 'updatedAt' | 'ACL' | 'className' | '__type'
