import type { Register } from '../documents/Register.ts'
import type { FieldValue } from '../User.ts'

type AnyFunctions = { [name: string]: { input: { readonly [name: string]: unknown }; output: FieldValue | undefined } }

type Functions = Register extends { functions: infer Told } ? Told : AnyFunctions

export type CloudFunctionName = keyof Functions & string

/** What a function takes. */
export type CloudFunctionInput<Name extends CloudFunctionName> = Functions[Name] extends { input: infer Input }
  ? Input
  : never

/** What it answers; a frozen snapshot. */
export type CloudFunctionOutput<Name extends CloudFunctionName> = Functions[Name] extends { output: infer Output }
  ? Output
  : never

/** The input, which may be left out where the function needs none. */
export type InputOf<Name extends CloudFunctionName> =
  Record<never, never> extends CloudFunctionInput<Name>
    ? [input?: CloudFunctionInput<Name>]
    : [input: CloudFunctionInput<Name>]
